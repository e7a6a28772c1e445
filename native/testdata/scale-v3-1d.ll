target triple = "x86_64-unknown-linux-gnu"

define i32 @yolk_kernel(ptr %args) #0 {
entry:
  %c0.0 = insertelement <8 x float> poison, float 0xC071600000000000, i64 0
  %c0 = shufflevector <8 x float> %c0.0, <8 x float> poison, <8 x i32> zeroinitializer
  %c1.0 = insertelement <8 x float> poison, float 0x4071600000000000, i64 0
  %c1 = shufflevector <8 x float> %c1.0, <8 x float> poison, <8 x i32> zeroinitializer
  %c2.0 = insertelement <8 x float> poison, float 0xC05F800000000000, i64 0
  %c2 = shufflevector <8 x float> %c2.0, <8 x float> poison, <8 x i32> zeroinitializer
  %c3.0 = insertelement <8 x float> poison, float 0x405F800000000000, i64 0
  %c3 = shufflevector <8 x float> %c3.0, <8 x float> poison, <8 x i32> zeroinitializer
  %c4.0 = insertelement <8 x float> poison, float 0x0000000000000000, i64 0
  %c4 = shufflevector <8 x float> %c4.0, <8 x float> poison, <8 x i32> zeroinitializer
  %c5.0 = insertelement <8 x float> poison, float 0x7FF0000000000000, i64 0
  %c5 = shufflevector <8 x float> %c5.0, <8 x float> poison, <8 x i32> zeroinitializer
  %c6.0 = insertelement <8 x float> poison, float 0x4168000FE0000000, i64 0
  %c6 = shufflevector <8 x float> %c6.0, <8 x float> poison, <8 x i32> zeroinitializer
  %c7.0 = insertelement <8 x i32> poison, i32 23, i64 0
  %c7 = shufflevector <8 x i32> %c7.0, <8 x i32> poison, <8 x i32> zeroinitializer
  %data = load ptr, ptr %args, align 8
  %counts.at = getelementptr ptr, ptr %args, i64 1
  %counts = load ptr, ptr %counts.at, align 8
  %strides.at = getelementptr ptr, ptr %args, i64 2
  %strides = load ptr, ptr %strides.at, align 8
  %n.at = getelementptr i64, ptr %counts, i64 0
  %n = load i64, ptr %n.at, align 8
  %v0 = icmp sle i64 %n, 0
  %p0.at = getelementptr ptr, ptr %data, i64 0
  %p0.0 = load ptr, ptr %p0.at, align 8
  %s0.0.at = getelementptr i64, ptr %strides, i64 0
  %s0.0 = load i64, ptr %s0.0.at, align 8
  %unit0 = icmp eq i64 %s0.0, 4
  %block0 = mul i64 %s0.0, 8
  %p1.at = getelementptr ptr, ptr %data, i64 1
  %p1.0 = load ptr, ptr %p1.at, align 8
  %s1.0.at = getelementptr i64, ptr %strides, i64 1
  %s1.0 = load i64, ptr %s1.0.at, align 8
  %unit1 = icmp eq i64 %s1.0, 4
  %block1 = mul i64 %s1.0, 8
  %p2.at = getelementptr ptr, ptr %data, i64 2
  %p2.0 = load ptr, ptr %p2.at, align 8
  %s2.0.at = getelementptr i64, ptr %strides, i64 2
  %s2.0 = load i64, ptr %s2.0.at, align 8
  %unit2 = icmp eq i64 %s2.0, 4
  %block2 = mul i64 %s2.0, 8
  %n.vectors = and i64 %n, -8
  %n.main = and i64 %n, -16
  %v1 = and i1 %unit0, %unit1
  %v2 = and i1 %v1, %unit2
  br i1 %v0, label %exit, label %inner
inner:
  br i1 %v2, label %main.entry, label %strided.entry
main.entry:
  %main.none = icmp eq i64 %n.main, 0
  br i1 %main.none, label %vector.entry, label %main
main:
  %main.i = phi i64 [ 0, %main.entry ], [ %main.i.next, %main ]
  %v3 = getelementptr float, ptr %p0.0, i64 %main.i
  %v4 = load <8 x float>, ptr %v3, align 4
  %v5 = getelementptr float, ptr %v3, i64 8
  %v6 = load <8 x float>, ptr %v5, align 4
  %v7 = getelementptr float, ptr %p1.0, i64 %main.i
  %v8 = load <8 x float>, ptr %v7, align 4
  %v9 = getelementptr float, ptr %v7, i64 8
  %v10 = load <8 x float>, ptr %v9, align 4
  %v11 = call <8 x float> @llvm.floor.v8f32(<8 x float> %v8)
  %v12 = fcmp olt <8 x float> %v11, %c0
  %v13 = select <8 x i1> %v12, <8 x float> %c0, <8 x float> %v11
  %v14 = fcmp ogt <8 x float> %v13, %c1
  %v15 = select <8 x i1> %v14, <8 x float> %c1, <8 x float> %v13
  %v16 = fcmp olt <8 x float> %v15, %c2
  %v17 = select <8 x i1> %v16, <8 x float> %c2, <8 x float> %v15
  %v18 = fcmp ogt <8 x float> %v17, %c3
  %v19 = select <8 x i1> %v18, <8 x float> %c3, <8 x float> %v17
  %v20 = fsub <8 x float> %v15, %v19
  %v21 = fcmp olt <8 x float> %v20, %c2
  %v22 = select <8 x i1> %v21, <8 x float> %c2, <8 x float> %v20
  %v23 = fcmp ogt <8 x float> %v22, %c3
  %v24 = select <8 x i1> %v23, <8 x float> %c3, <8 x float> %v22
  %v25 = fsub <8 x float> %v20, %v24
  %v26 = fcmp olt <8 x float> %v8, %c4
  %v27 = select <8 x i1> %v26, <8 x float> %c4, <8 x float> %v8
  %v28 = call <8 x float> @llvm.fabs.v8f32(<8 x float> %v8)
  %v29 = fcmp olt <8 x float> %v28, %c5
  %v30 = fadd <8 x float> %v19, %c6
  %v31 = bitcast <8 x float> %v30 to <8 x i32>
  %v32 = shl <8 x i32> %v31, %c7
  %v33 = bitcast <8 x i32> %v32 to <8 x float>
  %v34 = select <8 x i1> %v29, <8 x float> %v33, <8 x float> %v27
  %v35 = fadd <8 x float> %v25, %c6
  %v36 = bitcast <8 x float> %v35 to <8 x i32>
  %v37 = shl <8 x i32> %v36, %c7
  %v38 = bitcast <8 x i32> %v37 to <8 x float>
  %v39 = fmul <8 x float> %v4, %v38
  %v40 = fadd <8 x float> %v24, %c6
  %v41 = bitcast <8 x float> %v40 to <8 x i32>
  %v42 = shl <8 x i32> %v41, %c7
  %v43 = bitcast <8 x i32> %v42 to <8 x float>
  %v44 = fmul <8 x float> %v39, %v43
  %v45 = fmul <8 x float> %v44, %v34
  %v46 = call <8 x float> @llvm.floor.v8f32(<8 x float> %v10)
  %v47 = fcmp olt <8 x float> %v46, %c0
  %v48 = select <8 x i1> %v47, <8 x float> %c0, <8 x float> %v46
  %v49 = fcmp ogt <8 x float> %v48, %c1
  %v50 = select <8 x i1> %v49, <8 x float> %c1, <8 x float> %v48
  %v51 = fcmp olt <8 x float> %v50, %c2
  %v52 = select <8 x i1> %v51, <8 x float> %c2, <8 x float> %v50
  %v53 = fcmp ogt <8 x float> %v52, %c3
  %v54 = select <8 x i1> %v53, <8 x float> %c3, <8 x float> %v52
  %v55 = fsub <8 x float> %v50, %v54
  %v56 = fcmp olt <8 x float> %v55, %c2
  %v57 = select <8 x i1> %v56, <8 x float> %c2, <8 x float> %v55
  %v58 = fcmp ogt <8 x float> %v57, %c3
  %v59 = select <8 x i1> %v58, <8 x float> %c3, <8 x float> %v57
  %v60 = fsub <8 x float> %v55, %v59
  %v61 = fcmp olt <8 x float> %v10, %c4
  %v62 = select <8 x i1> %v61, <8 x float> %c4, <8 x float> %v10
  %v63 = call <8 x float> @llvm.fabs.v8f32(<8 x float> %v10)
  %v64 = fcmp olt <8 x float> %v63, %c5
  %v65 = fadd <8 x float> %v54, %c6
  %v66 = bitcast <8 x float> %v65 to <8 x i32>
  %v67 = shl <8 x i32> %v66, %c7
  %v68 = bitcast <8 x i32> %v67 to <8 x float>
  %v69 = select <8 x i1> %v64, <8 x float> %v68, <8 x float> %v62
  %v70 = fadd <8 x float> %v60, %c6
  %v71 = bitcast <8 x float> %v70 to <8 x i32>
  %v72 = shl <8 x i32> %v71, %c7
  %v73 = bitcast <8 x i32> %v72 to <8 x float>
  %v74 = fmul <8 x float> %v6, %v73
  %v75 = fadd <8 x float> %v59, %c6
  %v76 = bitcast <8 x float> %v75 to <8 x i32>
  %v77 = shl <8 x i32> %v76, %c7
  %v78 = bitcast <8 x i32> %v77 to <8 x float>
  %v79 = fmul <8 x float> %v74, %v78
  %v80 = fmul <8 x float> %v79, %v69
  %v81 = getelementptr float, ptr %p2.0, i64 %main.i
  store <8 x float> %v45, ptr %v81, align 4
  %v82 = getelementptr float, ptr %v81, i64 8
  store <8 x float> %v80, ptr %v82, align 4
  %main.i.next = add i64 %main.i, 16
  %v83 = icmp eq i64 %main.i.next, %n.main
  br i1 %v83, label %vector.entry, label %main, !llvm.loop !0
vector.entry:
  %vector.none = icmp eq i64 %n.main, %n.vectors
  br i1 %vector.none, label %tail.entry, label %vector
vector:
  %vector.i = phi i64 [ %n.main, %vector.entry ], [ %vector.i.next, %vector ]
  %v84 = getelementptr float, ptr %p0.0, i64 %vector.i
  %v85 = load <8 x float>, ptr %v84, align 4
  %v86 = getelementptr float, ptr %p1.0, i64 %vector.i
  %v87 = load <8 x float>, ptr %v86, align 4
  %v88 = call <8 x float> @llvm.floor.v8f32(<8 x float> %v87)
  %v89 = fcmp olt <8 x float> %v88, %c0
  %v90 = select <8 x i1> %v89, <8 x float> %c0, <8 x float> %v88
  %v91 = fcmp ogt <8 x float> %v90, %c1
  %v92 = select <8 x i1> %v91, <8 x float> %c1, <8 x float> %v90
  %v93 = fcmp olt <8 x float> %v92, %c2
  %v94 = select <8 x i1> %v93, <8 x float> %c2, <8 x float> %v92
  %v95 = fcmp ogt <8 x float> %v94, %c3
  %v96 = select <8 x i1> %v95, <8 x float> %c3, <8 x float> %v94
  %v97 = fsub <8 x float> %v92, %v96
  %v98 = fcmp olt <8 x float> %v97, %c2
  %v99 = select <8 x i1> %v98, <8 x float> %c2, <8 x float> %v97
  %v100 = fcmp ogt <8 x float> %v99, %c3
  %v101 = select <8 x i1> %v100, <8 x float> %c3, <8 x float> %v99
  %v102 = fsub <8 x float> %v97, %v101
  %v103 = fcmp olt <8 x float> %v87, %c4
  %v104 = select <8 x i1> %v103, <8 x float> %c4, <8 x float> %v87
  %v105 = call <8 x float> @llvm.fabs.v8f32(<8 x float> %v87)
  %v106 = fcmp olt <8 x float> %v105, %c5
  %v107 = fadd <8 x float> %v96, %c6
  %v108 = bitcast <8 x float> %v107 to <8 x i32>
  %v109 = shl <8 x i32> %v108, %c7
  %v110 = bitcast <8 x i32> %v109 to <8 x float>
  %v111 = select <8 x i1> %v106, <8 x float> %v110, <8 x float> %v104
  %v112 = fadd <8 x float> %v102, %c6
  %v113 = bitcast <8 x float> %v112 to <8 x i32>
  %v114 = shl <8 x i32> %v113, %c7
  %v115 = bitcast <8 x i32> %v114 to <8 x float>
  %v116 = fmul <8 x float> %v85, %v115
  %v117 = fadd <8 x float> %v101, %c6
  %v118 = bitcast <8 x float> %v117 to <8 x i32>
  %v119 = shl <8 x i32> %v118, %c7
  %v120 = bitcast <8 x i32> %v119 to <8 x float>
  %v121 = fmul <8 x float> %v116, %v120
  %v122 = fmul <8 x float> %v121, %v111
  %v123 = getelementptr float, ptr %p2.0, i64 %vector.i
  store <8 x float> %v122, ptr %v123, align 4
  %vector.i.next = add i64 %vector.i, 8
  %v124 = icmp eq i64 %vector.i.next, %n.vectors
  br i1 %v124, label %tail.entry, label %vector, !llvm.loop !1
tail.entry:
  %tail.none = icmp eq i64 %n.vectors, %n
  br i1 %tail.none, label %exit, label %tail
tail:
  %v125 = sub i64 %n, %n.vectors
  %v126 = trunc i64 %v125 to i32
  %v127 = insertelement <8 x i32> poison, i32 %v126, i64 0
  %v128 = shufflevector <8 x i32> %v127, <8 x i32> poison, <8 x i32> zeroinitializer
  %v129 = icmp ult <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v128
  %v130 = getelementptr float, ptr %p0.0, i64 %n.vectors
  %v131 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v130, i32 4, <8 x i1> %v129, <8 x float> zeroinitializer)
  %v132 = getelementptr float, ptr %p1.0, i64 %n.vectors
  %v133 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v132, i32 4, <8 x i1> %v129, <8 x float> zeroinitializer)
  %v134 = call <8 x float> @llvm.floor.v8f32(<8 x float> %v133)
  %v135 = fcmp olt <8 x float> %v134, %c0
  %v136 = select <8 x i1> %v135, <8 x float> %c0, <8 x float> %v134
  %v137 = fcmp ogt <8 x float> %v136, %c1
  %v138 = select <8 x i1> %v137, <8 x float> %c1, <8 x float> %v136
  %v139 = fcmp olt <8 x float> %v138, %c2
  %v140 = select <8 x i1> %v139, <8 x float> %c2, <8 x float> %v138
  %v141 = fcmp ogt <8 x float> %v140, %c3
  %v142 = select <8 x i1> %v141, <8 x float> %c3, <8 x float> %v140
  %v143 = fsub <8 x float> %v138, %v142
  %v144 = fcmp olt <8 x float> %v143, %c2
  %v145 = select <8 x i1> %v144, <8 x float> %c2, <8 x float> %v143
  %v146 = fcmp ogt <8 x float> %v145, %c3
  %v147 = select <8 x i1> %v146, <8 x float> %c3, <8 x float> %v145
  %v148 = fsub <8 x float> %v143, %v147
  %v149 = fcmp olt <8 x float> %v133, %c4
  %v150 = select <8 x i1> %v149, <8 x float> %c4, <8 x float> %v133
  %v151 = call <8 x float> @llvm.fabs.v8f32(<8 x float> %v133)
  %v152 = fcmp olt <8 x float> %v151, %c5
  %v153 = fadd <8 x float> %v142, %c6
  %v154 = bitcast <8 x float> %v153 to <8 x i32>
  %v155 = shl <8 x i32> %v154, %c7
  %v156 = bitcast <8 x i32> %v155 to <8 x float>
  %v157 = select <8 x i1> %v152, <8 x float> %v156, <8 x float> %v150
  %v158 = fadd <8 x float> %v148, %c6
  %v159 = bitcast <8 x float> %v158 to <8 x i32>
  %v160 = shl <8 x i32> %v159, %c7
  %v161 = bitcast <8 x i32> %v160 to <8 x float>
  %v162 = fmul <8 x float> %v131, %v161
  %v163 = fadd <8 x float> %v147, %c6
  %v164 = bitcast <8 x float> %v163 to <8 x i32>
  %v165 = shl <8 x i32> %v164, %c7
  %v166 = bitcast <8 x i32> %v165 to <8 x float>
  %v167 = fmul <8 x float> %v162, %v166
  %v168 = fmul <8 x float> %v167, %v157
  %v169 = getelementptr float, ptr %p2.0, i64 %n.vectors
  call void @llvm.masked.store.v8f32.p0(<8 x float> %v168, ptr %v169, i32 4, <8 x i1> %v129)
  br label %exit
strided.entry:
  %strided.none = icmp eq i64 %n.vectors, 0
  br i1 %strided.none, label %rest.entry, label %strided
strided:
  %strided.i = phi i64 [ 0, %strided.entry ], [ %strided.i.next, %strided.next ]
  %q0 = phi ptr [ %p0.0, %strided.entry ], [ %q0.next, %strided.next ]
  %q1 = phi ptr [ %p1.0, %strided.entry ], [ %q1.next, %strided.next ]
  %q2 = phi ptr [ %p2.0, %strided.entry ], [ %q2.next, %strided.next ]
  br i1 %unit0, label %in0.unit, label %in0.other
in0.unit:
  %v170 = load <8 x float>, ptr %q0, align 4
  br label %in0
in0.other:
  %v171 = load float, ptr %q0, align 4
  %v172 = icmp eq i64 %s0.0, 0
  br i1 %v172, label %in0.same, label %in0.lanes
in0.same:
  %v173 = insertelement <8 x float> poison, float %v171, i64 0
  %v174 = shufflevector <8 x float> %v173, <8 x float> poison, <8 x i32> zeroinitializer
  br label %in0
in0.lanes:
  %v175 = insertelement <4 x float> poison, float %v171, i64 0
  %v176 = getelementptr i8, ptr %q0, i64 %s0.0
  %v177 = load float, ptr %v176, align 4
  %v178 = insertelement <4 x float> %v175, float %v177, i64 1
  %v179 = getelementptr i8, ptr %v176, i64 %s0.0
  %v180 = load float, ptr %v179, align 4
  %v181 = insertelement <4 x float> %v178, float %v180, i64 2
  %v182 = getelementptr i8, ptr %v179, i64 %s0.0
  %v183 = load float, ptr %v182, align 4
  %v184 = insertelement <4 x float> %v181, float %v183, i64 3
  %v185 = getelementptr i8, ptr %v182, i64 %s0.0
  %v186 = load float, ptr %v185, align 4
  %v187 = insertelement <4 x float> poison, float %v186, i64 0
  %v188 = getelementptr i8, ptr %v185, i64 %s0.0
  %v189 = load float, ptr %v188, align 4
  %v190 = insertelement <4 x float> %v187, float %v189, i64 1
  %v191 = getelementptr i8, ptr %v188, i64 %s0.0
  %v192 = load float, ptr %v191, align 4
  %v193 = insertelement <4 x float> %v190, float %v192, i64 2
  %v194 = getelementptr i8, ptr %v191, i64 %s0.0
  %v195 = load float, ptr %v194, align 4
  %v196 = insertelement <4 x float> %v193, float %v195, i64 3
  %v197 = shufflevector <4 x float> %v184, <4 x float> %v196, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  br label %in0
in0:
  %v198 = phi <8 x float> [ %v170, %in0.unit ], [ %v174, %in0.same ], [ %v197, %in0.lanes ]
  br i1 %unit1, label %in1.unit, label %in1.other
in1.unit:
  %v199 = load <8 x float>, ptr %q1, align 4
  br label %in1
in1.other:
  %v200 = load float, ptr %q1, align 4
  %v201 = icmp eq i64 %s1.0, 0
  br i1 %v201, label %in1.same, label %in1.lanes
in1.same:
  %v202 = insertelement <8 x float> poison, float %v200, i64 0
  %v203 = shufflevector <8 x float> %v202, <8 x float> poison, <8 x i32> zeroinitializer
  br label %in1
in1.lanes:
  %v204 = insertelement <4 x float> poison, float %v200, i64 0
  %v205 = getelementptr i8, ptr %q1, i64 %s1.0
  %v206 = load float, ptr %v205, align 4
  %v207 = insertelement <4 x float> %v204, float %v206, i64 1
  %v208 = getelementptr i8, ptr %v205, i64 %s1.0
  %v209 = load float, ptr %v208, align 4
  %v210 = insertelement <4 x float> %v207, float %v209, i64 2
  %v211 = getelementptr i8, ptr %v208, i64 %s1.0
  %v212 = load float, ptr %v211, align 4
  %v213 = insertelement <4 x float> %v210, float %v212, i64 3
  %v214 = getelementptr i8, ptr %v211, i64 %s1.0
  %v215 = load float, ptr %v214, align 4
  %v216 = insertelement <4 x float> poison, float %v215, i64 0
  %v217 = getelementptr i8, ptr %v214, i64 %s1.0
  %v218 = load float, ptr %v217, align 4
  %v219 = insertelement <4 x float> %v216, float %v218, i64 1
  %v220 = getelementptr i8, ptr %v217, i64 %s1.0
  %v221 = load float, ptr %v220, align 4
  %v222 = insertelement <4 x float> %v219, float %v221, i64 2
  %v223 = getelementptr i8, ptr %v220, i64 %s1.0
  %v224 = load float, ptr %v223, align 4
  %v225 = insertelement <4 x float> %v222, float %v224, i64 3
  %v226 = shufflevector <4 x float> %v213, <4 x float> %v225, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  br label %in1
in1:
  %v227 = phi <8 x float> [ %v199, %in1.unit ], [ %v203, %in1.same ], [ %v226, %in1.lanes ]
  %v228 = call <8 x float> @llvm.floor.v8f32(<8 x float> %v227)
  %v229 = fcmp olt <8 x float> %v228, %c0
  %v230 = select <8 x i1> %v229, <8 x float> %c0, <8 x float> %v228
  %v231 = fcmp ogt <8 x float> %v230, %c1
  %v232 = select <8 x i1> %v231, <8 x float> %c1, <8 x float> %v230
  %v233 = fcmp olt <8 x float> %v232, %c2
  %v234 = select <8 x i1> %v233, <8 x float> %c2, <8 x float> %v232
  %v235 = fcmp ogt <8 x float> %v234, %c3
  %v236 = select <8 x i1> %v235, <8 x float> %c3, <8 x float> %v234
  %v237 = fsub <8 x float> %v232, %v236
  %v238 = fcmp olt <8 x float> %v237, %c2
  %v239 = select <8 x i1> %v238, <8 x float> %c2, <8 x float> %v237
  %v240 = fcmp ogt <8 x float> %v239, %c3
  %v241 = select <8 x i1> %v240, <8 x float> %c3, <8 x float> %v239
  %v242 = fsub <8 x float> %v237, %v241
  %v243 = fcmp olt <8 x float> %v227, %c4
  %v244 = select <8 x i1> %v243, <8 x float> %c4, <8 x float> %v227
  %v245 = call <8 x float> @llvm.fabs.v8f32(<8 x float> %v227)
  %v246 = fcmp olt <8 x float> %v245, %c5
  %v247 = fadd <8 x float> %v236, %c6
  %v248 = bitcast <8 x float> %v247 to <8 x i32>
  %v249 = shl <8 x i32> %v248, %c7
  %v250 = bitcast <8 x i32> %v249 to <8 x float>
  %v251 = select <8 x i1> %v246, <8 x float> %v250, <8 x float> %v244
  %v252 = fadd <8 x float> %v242, %c6
  %v253 = bitcast <8 x float> %v252 to <8 x i32>
  %v254 = shl <8 x i32> %v253, %c7
  %v255 = bitcast <8 x i32> %v254 to <8 x float>
  %v256 = fmul <8 x float> %v198, %v255
  %v257 = fadd <8 x float> %v241, %c6
  %v258 = bitcast <8 x float> %v257 to <8 x i32>
  %v259 = shl <8 x i32> %v258, %c7
  %v260 = bitcast <8 x i32> %v259 to <8 x float>
  %v261 = fmul <8 x float> %v256, %v260
  %v262 = fmul <8 x float> %v261, %v251
  br i1 %unit2, label %out2.unit, label %out2.lanes
out2.unit:
  store <8 x float> %v262, ptr %q2, align 4
  br label %out2
out2.lanes:
  %v263 = extractelement <8 x float> %v262, i64 0
  store float %v263, ptr %q2, align 4
  %v264 = getelementptr i8, ptr %q2, i64 %s2.0
  %v265 = extractelement <8 x float> %v262, i64 1
  store float %v265, ptr %v264, align 4
  %v266 = getelementptr i8, ptr %v264, i64 %s2.0
  %v267 = extractelement <8 x float> %v262, i64 2
  store float %v267, ptr %v266, align 4
  %v268 = getelementptr i8, ptr %v266, i64 %s2.0
  %v269 = extractelement <8 x float> %v262, i64 3
  store float %v269, ptr %v268, align 4
  %v270 = getelementptr i8, ptr %v268, i64 %s2.0
  %v271 = extractelement <8 x float> %v262, i64 4
  store float %v271, ptr %v270, align 4
  %v272 = getelementptr i8, ptr %v270, i64 %s2.0
  %v273 = extractelement <8 x float> %v262, i64 5
  store float %v273, ptr %v272, align 4
  %v274 = getelementptr i8, ptr %v272, i64 %s2.0
  %v275 = extractelement <8 x float> %v262, i64 6
  store float %v275, ptr %v274, align 4
  %v276 = getelementptr i8, ptr %v274, i64 %s2.0
  %v277 = extractelement <8 x float> %v262, i64 7
  store float %v277, ptr %v276, align 4
  br label %out2
out2:
  br label %strided.next
strided.next:
  %strided.i.next = add i64 %strided.i, 8
  %q0.next = getelementptr i8, ptr %q0, i64 %block0
  %q1.next = getelementptr i8, ptr %q1, i64 %block1
  %q2.next = getelementptr i8, ptr %q2, i64 %block2
  %v278 = icmp eq i64 %strided.i.next, %n.vectors
  br i1 %v278, label %rest.entry, label %strided, !llvm.loop !2
rest.entry:
  %r0 = phi ptr [ %p0.0, %strided.entry ], [ %q0.next, %strided.next ]
  %r1 = phi ptr [ %p1.0, %strided.entry ], [ %q1.next, %strided.next ]
  %r2 = phi ptr [ %p2.0, %strided.entry ], [ %q2.next, %strided.next ]
  %rest = sub i64 %n, %n.vectors
  %rest.none = icmp eq i64 %rest, 0
  br i1 %rest.none, label %exit, label %fill
fill:
  %fill.i = phi i64 [ 0, %rest.entry ], [ %fill.i.next, %fill ]
  %fill0.at = phi ptr [ %r0, %rest.entry ], [ %fill0.at.next, %fill ]
  %fill0 = phi <8 x float> [ zeroinitializer, %rest.entry ], [ %fill0.next, %fill ]
  %fill1.at = phi ptr [ %r1, %rest.entry ], [ %fill1.at.next, %fill ]
  %fill1 = phi <8 x float> [ zeroinitializer, %rest.entry ], [ %fill1.next, %fill ]
  %v279 = load float, ptr %fill0.at, align 4
  %fill0.next = insertelement <8 x float> %fill0, float %v279, i64 %fill.i
  %fill0.at.next = getelementptr i8, ptr %fill0.at, i64 %s0.0
  %v280 = load float, ptr %fill1.at, align 4
  %fill1.next = insertelement <8 x float> %fill1, float %v280, i64 %fill.i
  %fill1.at.next = getelementptr i8, ptr %fill1.at, i64 %s1.0
  %fill.i.next = add i64 %fill.i, 1
  %v281 = icmp eq i64 %fill.i.next, %rest
  br i1 %v281, label %rest.compute, label %fill, !llvm.loop !3
rest.compute:
  %v282 = call <8 x float> @llvm.floor.v8f32(<8 x float> %fill1.next)
  %v283 = fcmp olt <8 x float> %v282, %c0
  %v284 = select <8 x i1> %v283, <8 x float> %c0, <8 x float> %v282
  %v285 = fcmp ogt <8 x float> %v284, %c1
  %v286 = select <8 x i1> %v285, <8 x float> %c1, <8 x float> %v284
  %v287 = fcmp olt <8 x float> %v286, %c2
  %v288 = select <8 x i1> %v287, <8 x float> %c2, <8 x float> %v286
  %v289 = fcmp ogt <8 x float> %v288, %c3
  %v290 = select <8 x i1> %v289, <8 x float> %c3, <8 x float> %v288
  %v291 = fsub <8 x float> %v286, %v290
  %v292 = fcmp olt <8 x float> %v291, %c2
  %v293 = select <8 x i1> %v292, <8 x float> %c2, <8 x float> %v291
  %v294 = fcmp ogt <8 x float> %v293, %c3
  %v295 = select <8 x i1> %v294, <8 x float> %c3, <8 x float> %v293
  %v296 = fsub <8 x float> %v291, %v295
  %v297 = fcmp olt <8 x float> %fill1.next, %c4
  %v298 = select <8 x i1> %v297, <8 x float> %c4, <8 x float> %fill1.next
  %v299 = call <8 x float> @llvm.fabs.v8f32(<8 x float> %fill1.next)
  %v300 = fcmp olt <8 x float> %v299, %c5
  %v301 = fadd <8 x float> %v290, %c6
  %v302 = bitcast <8 x float> %v301 to <8 x i32>
  %v303 = shl <8 x i32> %v302, %c7
  %v304 = bitcast <8 x i32> %v303 to <8 x float>
  %v305 = select <8 x i1> %v300, <8 x float> %v304, <8 x float> %v298
  %v306 = fadd <8 x float> %v296, %c6
  %v307 = bitcast <8 x float> %v306 to <8 x i32>
  %v308 = shl <8 x i32> %v307, %c7
  %v309 = bitcast <8 x i32> %v308 to <8 x float>
  %v310 = fmul <8 x float> %fill0.next, %v309
  %v311 = fadd <8 x float> %v295, %c6
  %v312 = bitcast <8 x float> %v311 to <8 x i32>
  %v313 = shl <8 x i32> %v312, %c7
  %v314 = bitcast <8 x i32> %v313 to <8 x float>
  %v315 = fmul <8 x float> %v310, %v314
  %v316 = fmul <8 x float> %v315, %v305
  br label %drain
drain:
  %drain.i = phi i64 [ 0, %rest.compute ], [ %drain.i.next, %drain ]
  %drain0.at = phi ptr [ %r2, %rest.compute ], [ %drain0.at.next, %drain ]
  %v317 = extractelement <8 x float> %v316, i64 %drain.i
  store float %v317, ptr %drain0.at, align 4
  %drain0.at.next = getelementptr i8, ptr %drain0.at, i64 %s2.0
  %drain.i.next = add i64 %drain.i, 1
  %v318 = icmp eq i64 %drain.i.next, %rest
  br i1 %v318, label %exit, label %drain, !llvm.loop !4
exit:
  ret i32 0
}

declare <8 x float> @llvm.fabs.v8f32(<8 x float>)
declare <8 x float> @llvm.floor.v8f32(<8 x float>)
declare <8 x float> @llvm.masked.load.v8f32.p0(ptr, i32, <8 x i1>, <8 x float>)
declare void @llvm.masked.store.v8f32.p0(<8 x float>, ptr, i32, <8 x i1>)

attributes #0 = { nounwind "no-builtins" "target-cpu"="x86-64-v3" }

!0 = distinct !{!0, !5}
!1 = distinct !{!1, !5}
!2 = distinct !{!2, !5}
!3 = distinct !{!3, !5}
!4 = distinct !{!4, !5}
!5 = !{!"llvm.loop.unroll.disable"}
