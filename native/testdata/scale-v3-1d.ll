target triple = "x86_64-unknown-linux-gnu"

define i32 @yolk_kernel(ptr %args) #0 {
entry:
  %strides.at = getelementptr ptr, ptr %args, i64 2
  %strides = load ptr, ptr %strides.at, align 8
  %s0.at = getelementptr i64, ptr %strides, i64 0
  %s0 = load i64, ptr %s0.at, align 8
  %v0 = icmp eq i64 %s0, 4
  %s1.at = getelementptr i64, ptr %strides, i64 1
  %s1 = load i64, ptr %s1.at, align 8
  %v1 = icmp eq i64 %s1, 4
  %s2.at = getelementptr i64, ptr %strides, i64 2
  %s2 = load i64, ptr %s2.at, align 8
  %v2 = icmp eq i64 %s2, 4
  %v3 = and i1 %v0, %v1
  %v4 = and i1 %v3, %v2
  br i1 %v4, label %contiguous, label %other
other:
  %counts.at = getelementptr ptr, ptr %args, i64 1
  %counts = load ptr, ptr %counts.at, align 8
  %n.at = getelementptr i64, ptr %counts, i64 0
  %n = load i64, ptr %n.at, align 8
  %v5 = icmp eq i64 %n, 1
  br i1 %v5, label %contiguous, label %strided
contiguous:
  %v6 = musttail call i32 @contiguous(ptr %args)
  ret i32 %v6
strided:
  %v7 = musttail call i32 @strided(ptr %args)
  ret i32 %v7
}

define internal i32 @contiguous(ptr %args) noinline #0 {
entry:
  %c0.0 = insertelement <8 x float> poison, float 0xC071600000000000, i64 0
  %c0 = shufflevector <8 x float> %c0.0, <8 x float> poison, <8 x i32> zeroinitializer
  %c1.0 = insertelement <8 x float> poison, float 0x4071600000000000, i64 0
  %c1 = shufflevector <8 x float> %c1.0, <8 x float> poison, <8 x i32> zeroinitializer
  %c2.0 = insertelement <8 x float> poison, float 0xC05F800000000000, i64 0
  %c2 = shufflevector <8 x float> %c2.0, <8 x float> poison, <8 x i32> zeroinitializer
  %c3.0 = insertelement <8 x float> poison, float 0x405FC00000000000, i64 0
  %c3 = shufflevector <8 x float> %c3.0, <8 x float> poison, <8 x i32> zeroinitializer
  %c4.0 = insertelement <8 x float> poison, float 0x4168000FE0000000, i64 0
  %c4 = shufflevector <8 x float> %c4.0, <8 x float> poison, <8 x i32> zeroinitializer
  %c5.0 = insertelement <8 x i32> poison, i32 23, i64 0
  %c5 = shufflevector <8 x i32> %c5.0, <8 x i32> poison, <8 x i32> zeroinitializer
  %c6.0 = insertelement <8 x float> poison, float 0x0000000000000000, i64 0
  %c6 = shufflevector <8 x float> %c6.0, <8 x float> poison, <8 x i32> zeroinitializer
  %c7.0 = insertelement <8 x float> poison, float 0x7FF0000000000000, i64 0
  %c7 = shufflevector <8 x float> %c7.0, <8 x float> poison, <8 x i32> zeroinitializer
  %data.at = getelementptr ptr, ptr %args, i64 0
  %data = load ptr, ptr %data.at, align 8
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
  %p1.at = getelementptr ptr, ptr %data, i64 1
  %p1.0 = load ptr, ptr %p1.at, align 8
  %s1.0.at = getelementptr i64, ptr %strides, i64 1
  %s1.0 = load i64, ptr %s1.0.at, align 8
  %p2.at = getelementptr ptr, ptr %data, i64 2
  %p2.0 = load ptr, ptr %p2.at, align 8
  %s2.0.at = getelementptr i64, ptr %strides, i64 2
  %s2.0 = load i64, ptr %s2.0.at, align 8
  %v1 = lshr i64 %s0.0, 2
  %moves0 = sub i64 0, %v1
  %v2 = lshr i64 %s1.0, 2
  %moves1 = sub i64 0, %v2
  %main.last = sub i64 %n, 48
  %vector.last = sub i64 %n, 8
  br i1 %v0, label %exit, label %inner
inner:
  %v3 = icmp slt i64 %main.last, 0
  br i1 %v3, label %vector.entry, label %long
long:
  %whole.at = getelementptr i64, ptr %args, i64 3
  %whole = load i64, ptr %whole.at, align 8
  %total = call i64 @llvm.umax.i64(i64 %n, i64 %whole)
  %v4 = icmp sgt i64 %total, 87381
  br i1 %v4, label %large, label %main.entry
large:
  %v5 = icmp sle i64 %total, 349525
  br i1 %v5, label %fetching, label %huge
fetching:
  %fetching.i = phi i64 [ 0, %large ], [ %fetching.i.next, %fetching ]
  %v6 = and i64 %fetching.i, %moves0
  %v7 = getelementptr float, ptr %p0.0, i64 %v6
  %v8 = getelementptr i8, ptr %v7, i64 1024
  call void @llvm.prefetch.p0(ptr %v8, i32 0, i32 3, i32 1)
  %v9 = getelementptr i8, ptr %v7, i64 1088
  call void @llvm.prefetch.p0(ptr %v9, i32 0, i32 3, i32 1)
  %v10 = getelementptr i8, ptr %v7, i64 1152
  call void @llvm.prefetch.p0(ptr %v10, i32 0, i32 3, i32 1)
  %v11 = load <8 x float>, ptr %v7, align 4
  %v12 = getelementptr float, ptr %v7, i64 8
  %v13 = load <8 x float>, ptr %v12, align 4
  %v14 = getelementptr float, ptr %v7, i64 16
  %v15 = load <8 x float>, ptr %v14, align 4
  %v16 = getelementptr float, ptr %v7, i64 24
  %v17 = load <8 x float>, ptr %v16, align 4
  %v18 = getelementptr float, ptr %v7, i64 32
  %v19 = load <8 x float>, ptr %v18, align 4
  %v20 = getelementptr float, ptr %v7, i64 40
  %v21 = load <8 x float>, ptr %v20, align 4
  %v22 = and i64 %fetching.i, %moves1
  %v23 = getelementptr float, ptr %p1.0, i64 %v22
  %v24 = getelementptr i8, ptr %v23, i64 1024
  call void @llvm.prefetch.p0(ptr %v24, i32 0, i32 3, i32 1)
  %v25 = getelementptr i8, ptr %v23, i64 1088
  call void @llvm.prefetch.p0(ptr %v25, i32 0, i32 3, i32 1)
  %v26 = getelementptr i8, ptr %v23, i64 1152
  call void @llvm.prefetch.p0(ptr %v26, i32 0, i32 3, i32 1)
  %v27 = load <8 x float>, ptr %v23, align 4
  %v28 = getelementptr float, ptr %v23, i64 8
  %v29 = load <8 x float>, ptr %v28, align 4
  %v30 = getelementptr float, ptr %v23, i64 16
  %v31 = load <8 x float>, ptr %v30, align 4
  %v32 = getelementptr float, ptr %v23, i64 24
  %v33 = load <8 x float>, ptr %v32, align 4
  %v34 = getelementptr float, ptr %v23, i64 32
  %v35 = load <8 x float>, ptr %v34, align 4
  %v36 = getelementptr float, ptr %v23, i64 40
  %v37 = load <8 x float>, ptr %v36, align 4
  %v38 = call <8 x float> @llvm.floor.v8f32(<8 x float> %v27)
  %v39 = fcmp olt <8 x float> %v38, %c0
  %v40 = select <8 x i1> %v39, <8 x float> %c0, <8 x float> %v38
  %v41 = fcmp ogt <8 x float> %v40, %c1
  %v42 = select <8 x i1> %v41, <8 x float> %c1, <8 x float> %v40
  %v43 = fcmp olt <8 x float> %v42, %c2
  %v44 = select <8 x i1> %v43, <8 x float> %c2, <8 x float> %v42
  %v45 = fcmp ogt <8 x float> %v44, %c3
  %v46 = select <8 x i1> %v45, <8 x float> %c3, <8 x float> %v44
  %v47 = fadd <8 x float> %v46, %c4
  %v48 = bitcast <8 x float> %v47 to <8 x i32>
  %v49 = shl <8 x i32> %v48, %c5
  %v50 = bitcast <8 x i32> %v49 to <8 x float>
  %v51 = fsub <8 x float> %v42, %v46
  %v52 = fcmp olt <8 x float> %v51, %c2
  %v53 = select <8 x i1> %v52, <8 x float> %c2, <8 x float> %v51
  %v54 = fcmp ogt <8 x float> %v53, %c3
  %v55 = select <8 x i1> %v54, <8 x float> %c3, <8 x float> %v53
  %v56 = fadd <8 x float> %v55, %c4
  %v57 = bitcast <8 x float> %v56 to <8 x i32>
  %v58 = shl <8 x i32> %v57, %c5
  %v59 = bitcast <8 x i32> %v58 to <8 x float>
  %v60 = fsub <8 x float> %v51, %v55
  %v61 = fadd <8 x float> %v60, %c4
  %v62 = bitcast <8 x float> %v61 to <8 x i32>
  %v63 = shl <8 x i32> %v62, %c5
  %v64 = bitcast <8 x i32> %v63 to <8 x float>
  %v65 = fcmp olt <8 x float> %v27, %c6
  %v66 = select <8 x i1> %v65, <8 x float> %c6, <8 x float> %v27
  %v67 = call <8 x float> @llvm.fabs.v8f32(<8 x float> %v27)
  %v68 = fcmp olt <8 x float> %v67, %c7
  %v69 = select <8 x i1> %v68, <8 x float> %v50, <8 x float> %v66
  %v70 = fmul <8 x float> %v11, %v64
  %v71 = fmul <8 x float> %v70, %v59
  %v72 = fmul <8 x float> %v71, %v69
  %v73 = call <8 x float> @llvm.floor.v8f32(<8 x float> %v29)
  %v74 = fcmp olt <8 x float> %v73, %c0
  %v75 = select <8 x i1> %v74, <8 x float> %c0, <8 x float> %v73
  %v76 = fcmp ogt <8 x float> %v75, %c1
  %v77 = select <8 x i1> %v76, <8 x float> %c1, <8 x float> %v75
  %v78 = fcmp olt <8 x float> %v77, %c2
  %v79 = select <8 x i1> %v78, <8 x float> %c2, <8 x float> %v77
  %v80 = fcmp ogt <8 x float> %v79, %c3
  %v81 = select <8 x i1> %v80, <8 x float> %c3, <8 x float> %v79
  %v82 = fadd <8 x float> %v81, %c4
  %v83 = bitcast <8 x float> %v82 to <8 x i32>
  %v84 = shl <8 x i32> %v83, %c5
  %v85 = bitcast <8 x i32> %v84 to <8 x float>
  %v86 = fsub <8 x float> %v77, %v81
  %v87 = fcmp olt <8 x float> %v86, %c2
  %v88 = select <8 x i1> %v87, <8 x float> %c2, <8 x float> %v86
  %v89 = fcmp ogt <8 x float> %v88, %c3
  %v90 = select <8 x i1> %v89, <8 x float> %c3, <8 x float> %v88
  %v91 = fadd <8 x float> %v90, %c4
  %v92 = bitcast <8 x float> %v91 to <8 x i32>
  %v93 = shl <8 x i32> %v92, %c5
  %v94 = bitcast <8 x i32> %v93 to <8 x float>
  %v95 = fsub <8 x float> %v86, %v90
  %v96 = fadd <8 x float> %v95, %c4
  %v97 = bitcast <8 x float> %v96 to <8 x i32>
  %v98 = shl <8 x i32> %v97, %c5
  %v99 = bitcast <8 x i32> %v98 to <8 x float>
  %v100 = fcmp olt <8 x float> %v29, %c6
  %v101 = select <8 x i1> %v100, <8 x float> %c6, <8 x float> %v29
  %v102 = call <8 x float> @llvm.fabs.v8f32(<8 x float> %v29)
  %v103 = fcmp olt <8 x float> %v102, %c7
  %v104 = select <8 x i1> %v103, <8 x float> %v85, <8 x float> %v101
  %v105 = fmul <8 x float> %v13, %v99
  %v106 = fmul <8 x float> %v105, %v94
  %v107 = fmul <8 x float> %v106, %v104
  %v108 = call <8 x float> @llvm.floor.v8f32(<8 x float> %v31)
  %v109 = fcmp olt <8 x float> %v108, %c0
  %v110 = select <8 x i1> %v109, <8 x float> %c0, <8 x float> %v108
  %v111 = fcmp ogt <8 x float> %v110, %c1
  %v112 = select <8 x i1> %v111, <8 x float> %c1, <8 x float> %v110
  %v113 = fcmp olt <8 x float> %v112, %c2
  %v114 = select <8 x i1> %v113, <8 x float> %c2, <8 x float> %v112
  %v115 = fcmp ogt <8 x float> %v114, %c3
  %v116 = select <8 x i1> %v115, <8 x float> %c3, <8 x float> %v114
  %v117 = fadd <8 x float> %v116, %c4
  %v118 = bitcast <8 x float> %v117 to <8 x i32>
  %v119 = shl <8 x i32> %v118, %c5
  %v120 = bitcast <8 x i32> %v119 to <8 x float>
  %v121 = fsub <8 x float> %v112, %v116
  %v122 = fcmp olt <8 x float> %v121, %c2
  %v123 = select <8 x i1> %v122, <8 x float> %c2, <8 x float> %v121
  %v124 = fcmp ogt <8 x float> %v123, %c3
  %v125 = select <8 x i1> %v124, <8 x float> %c3, <8 x float> %v123
  %v126 = fadd <8 x float> %v125, %c4
  %v127 = bitcast <8 x float> %v126 to <8 x i32>
  %v128 = shl <8 x i32> %v127, %c5
  %v129 = bitcast <8 x i32> %v128 to <8 x float>
  %v130 = fsub <8 x float> %v121, %v125
  %v131 = fadd <8 x float> %v130, %c4
  %v132 = bitcast <8 x float> %v131 to <8 x i32>
  %v133 = shl <8 x i32> %v132, %c5
  %v134 = bitcast <8 x i32> %v133 to <8 x float>
  %v135 = fcmp olt <8 x float> %v31, %c6
  %v136 = select <8 x i1> %v135, <8 x float> %c6, <8 x float> %v31
  %v137 = call <8 x float> @llvm.fabs.v8f32(<8 x float> %v31)
  %v138 = fcmp olt <8 x float> %v137, %c7
  %v139 = select <8 x i1> %v138, <8 x float> %v120, <8 x float> %v136
  %v140 = fmul <8 x float> %v15, %v134
  %v141 = fmul <8 x float> %v140, %v129
  %v142 = fmul <8 x float> %v141, %v139
  %v143 = call <8 x float> @llvm.floor.v8f32(<8 x float> %v33)
  %v144 = fcmp olt <8 x float> %v143, %c0
  %v145 = select <8 x i1> %v144, <8 x float> %c0, <8 x float> %v143
  %v146 = fcmp ogt <8 x float> %v145, %c1
  %v147 = select <8 x i1> %v146, <8 x float> %c1, <8 x float> %v145
  %v148 = fcmp olt <8 x float> %v147, %c2
  %v149 = select <8 x i1> %v148, <8 x float> %c2, <8 x float> %v147
  %v150 = fcmp ogt <8 x float> %v149, %c3
  %v151 = select <8 x i1> %v150, <8 x float> %c3, <8 x float> %v149
  %v152 = fadd <8 x float> %v151, %c4
  %v153 = bitcast <8 x float> %v152 to <8 x i32>
  %v154 = shl <8 x i32> %v153, %c5
  %v155 = bitcast <8 x i32> %v154 to <8 x float>
  %v156 = fsub <8 x float> %v147, %v151
  %v157 = fcmp olt <8 x float> %v156, %c2
  %v158 = select <8 x i1> %v157, <8 x float> %c2, <8 x float> %v156
  %v159 = fcmp ogt <8 x float> %v158, %c3
  %v160 = select <8 x i1> %v159, <8 x float> %c3, <8 x float> %v158
  %v161 = fadd <8 x float> %v160, %c4
  %v162 = bitcast <8 x float> %v161 to <8 x i32>
  %v163 = shl <8 x i32> %v162, %c5
  %v164 = bitcast <8 x i32> %v163 to <8 x float>
  %v165 = fsub <8 x float> %v156, %v160
  %v166 = fadd <8 x float> %v165, %c4
  %v167 = bitcast <8 x float> %v166 to <8 x i32>
  %v168 = shl <8 x i32> %v167, %c5
  %v169 = bitcast <8 x i32> %v168 to <8 x float>
  %v170 = fcmp olt <8 x float> %v33, %c6
  %v171 = select <8 x i1> %v170, <8 x float> %c6, <8 x float> %v33
  %v172 = call <8 x float> @llvm.fabs.v8f32(<8 x float> %v33)
  %v173 = fcmp olt <8 x float> %v172, %c7
  %v174 = select <8 x i1> %v173, <8 x float> %v155, <8 x float> %v171
  %v175 = fmul <8 x float> %v17, %v169
  %v176 = fmul <8 x float> %v175, %v164
  %v177 = fmul <8 x float> %v176, %v174
  %v178 = call <8 x float> @llvm.floor.v8f32(<8 x float> %v35)
  %v179 = fcmp olt <8 x float> %v178, %c0
  %v180 = select <8 x i1> %v179, <8 x float> %c0, <8 x float> %v178
  %v181 = fcmp ogt <8 x float> %v180, %c1
  %v182 = select <8 x i1> %v181, <8 x float> %c1, <8 x float> %v180
  %v183 = fcmp olt <8 x float> %v182, %c2
  %v184 = select <8 x i1> %v183, <8 x float> %c2, <8 x float> %v182
  %v185 = fcmp ogt <8 x float> %v184, %c3
  %v186 = select <8 x i1> %v185, <8 x float> %c3, <8 x float> %v184
  %v187 = fadd <8 x float> %v186, %c4
  %v188 = bitcast <8 x float> %v187 to <8 x i32>
  %v189 = shl <8 x i32> %v188, %c5
  %v190 = bitcast <8 x i32> %v189 to <8 x float>
  %v191 = fsub <8 x float> %v182, %v186
  %v192 = fcmp olt <8 x float> %v191, %c2
  %v193 = select <8 x i1> %v192, <8 x float> %c2, <8 x float> %v191
  %v194 = fcmp ogt <8 x float> %v193, %c3
  %v195 = select <8 x i1> %v194, <8 x float> %c3, <8 x float> %v193
  %v196 = fadd <8 x float> %v195, %c4
  %v197 = bitcast <8 x float> %v196 to <8 x i32>
  %v198 = shl <8 x i32> %v197, %c5
  %v199 = bitcast <8 x i32> %v198 to <8 x float>
  %v200 = fsub <8 x float> %v191, %v195
  %v201 = fadd <8 x float> %v200, %c4
  %v202 = bitcast <8 x float> %v201 to <8 x i32>
  %v203 = shl <8 x i32> %v202, %c5
  %v204 = bitcast <8 x i32> %v203 to <8 x float>
  %v205 = fcmp olt <8 x float> %v35, %c6
  %v206 = select <8 x i1> %v205, <8 x float> %c6, <8 x float> %v35
  %v207 = call <8 x float> @llvm.fabs.v8f32(<8 x float> %v35)
  %v208 = fcmp olt <8 x float> %v207, %c7
  %v209 = select <8 x i1> %v208, <8 x float> %v190, <8 x float> %v206
  %v210 = fmul <8 x float> %v19, %v204
  %v211 = fmul <8 x float> %v210, %v199
  %v212 = fmul <8 x float> %v211, %v209
  %v213 = call <8 x float> @llvm.floor.v8f32(<8 x float> %v37)
  %v214 = fcmp olt <8 x float> %v213, %c0
  %v215 = select <8 x i1> %v214, <8 x float> %c0, <8 x float> %v213
  %v216 = fcmp ogt <8 x float> %v215, %c1
  %v217 = select <8 x i1> %v216, <8 x float> %c1, <8 x float> %v215
  %v218 = fcmp olt <8 x float> %v217, %c2
  %v219 = select <8 x i1> %v218, <8 x float> %c2, <8 x float> %v217
  %v220 = fcmp ogt <8 x float> %v219, %c3
  %v221 = select <8 x i1> %v220, <8 x float> %c3, <8 x float> %v219
  %v222 = fadd <8 x float> %v221, %c4
  %v223 = bitcast <8 x float> %v222 to <8 x i32>
  %v224 = shl <8 x i32> %v223, %c5
  %v225 = bitcast <8 x i32> %v224 to <8 x float>
  %v226 = fsub <8 x float> %v217, %v221
  %v227 = fcmp olt <8 x float> %v226, %c2
  %v228 = select <8 x i1> %v227, <8 x float> %c2, <8 x float> %v226
  %v229 = fcmp ogt <8 x float> %v228, %c3
  %v230 = select <8 x i1> %v229, <8 x float> %c3, <8 x float> %v228
  %v231 = fadd <8 x float> %v230, %c4
  %v232 = bitcast <8 x float> %v231 to <8 x i32>
  %v233 = shl <8 x i32> %v232, %c5
  %v234 = bitcast <8 x i32> %v233 to <8 x float>
  %v235 = fsub <8 x float> %v226, %v230
  %v236 = fadd <8 x float> %v235, %c4
  %v237 = bitcast <8 x float> %v236 to <8 x i32>
  %v238 = shl <8 x i32> %v237, %c5
  %v239 = bitcast <8 x i32> %v238 to <8 x float>
  %v240 = fcmp olt <8 x float> %v37, %c6
  %v241 = select <8 x i1> %v240, <8 x float> %c6, <8 x float> %v37
  %v242 = call <8 x float> @llvm.fabs.v8f32(<8 x float> %v37)
  %v243 = fcmp olt <8 x float> %v242, %c7
  %v244 = select <8 x i1> %v243, <8 x float> %v225, <8 x float> %v241
  %v245 = fmul <8 x float> %v21, %v239
  %v246 = fmul <8 x float> %v245, %v234
  %v247 = fmul <8 x float> %v246, %v244
  %v248 = getelementptr float, ptr %p2.0, i64 %fetching.i
  %v249 = getelementptr i8, ptr %v248, i64 512
  call void @llvm.prefetch.p0(ptr %v249, i32 1, i32 3, i32 1)
  %v250 = getelementptr i8, ptr %v248, i64 576
  call void @llvm.prefetch.p0(ptr %v250, i32 1, i32 3, i32 1)
  %v251 = getelementptr i8, ptr %v248, i64 640
  call void @llvm.prefetch.p0(ptr %v251, i32 1, i32 3, i32 1)
  store <8 x float> %v72, ptr %v248, align 4
  %v252 = getelementptr float, ptr %v248, i64 8
  store <8 x float> %v107, ptr %v252, align 4
  %v253 = getelementptr float, ptr %v248, i64 16
  store <8 x float> %v142, ptr %v253, align 4
  %v254 = getelementptr float, ptr %v248, i64 24
  store <8 x float> %v177, ptr %v254, align 4
  %v255 = getelementptr float, ptr %v248, i64 32
  store <8 x float> %v212, ptr %v255, align 4
  %v256 = getelementptr float, ptr %v248, i64 40
  store <8 x float> %v247, ptr %v256, align 4
  %fetching.i.next = add i64 %fetching.i, 48
  %v257 = icmp sgt i64 %fetching.i.next, %main.last
  br i1 %v257, label %vector.entry, label %fetching, !llvm.loop !2
huge:
  %v258 = icmp sge i64 %total, 2097152
  %v259 = icmp sge i64 %n, 96
  %v260 = ptrtoint ptr %p2.0 to i64
  %v261 = sub i64 0, %v260
  %v262 = and i64 %v261, 31
  %aligned = lshr i64 %v262, 2
  %v263 = shl i64 %aligned, 2
  %v264 = add i64 %v260, %v263
  %v265 = and i64 %v264, 31
  %v266 = icmp eq i64 %v265, 0
  %v267 = icmp ne ptr %p0.0, %p2.0
  %v268 = icmp ne ptr %p1.0, %p2.0
  %v269 = and i1 %v259, %v266
  %v270 = and i1 %v269, %v267
  %v271 = and i1 %v270, %v268
  %streaming = and i1 %v258, %v271
  %head.last = select i1 %streaming, i64 0, i64 %main.last
  br label %main.entry
main.entry:
  %plain.last = phi i64 [ %main.last, %long ], [ %head.last, %huge ]
  %streams = phi i1 [ false, %long ], [ %streaming, %huge ]
  %stream.from = phi i64 [ 0, %long ], [ %aligned, %huge ]
  br label %main
main:
  %main.i = phi i64 [ 0, %main.entry ], [ %main.i.next, %main ]
  %v272 = and i64 %main.i, %moves0
  %v273 = getelementptr float, ptr %p0.0, i64 %v272
  %v274 = load <8 x float>, ptr %v273, align 4
  %v275 = getelementptr float, ptr %v273, i64 8
  %v276 = load <8 x float>, ptr %v275, align 4
  %v277 = getelementptr float, ptr %v273, i64 16
  %v278 = load <8 x float>, ptr %v277, align 4
  %v279 = getelementptr float, ptr %v273, i64 24
  %v280 = load <8 x float>, ptr %v279, align 4
  %v281 = getelementptr float, ptr %v273, i64 32
  %v282 = load <8 x float>, ptr %v281, align 4
  %v283 = getelementptr float, ptr %v273, i64 40
  %v284 = load <8 x float>, ptr %v283, align 4
  %v285 = and i64 %main.i, %moves1
  %v286 = getelementptr float, ptr %p1.0, i64 %v285
  %v287 = load <8 x float>, ptr %v286, align 4
  %v288 = getelementptr float, ptr %v286, i64 8
  %v289 = load <8 x float>, ptr %v288, align 4
  %v290 = getelementptr float, ptr %v286, i64 16
  %v291 = load <8 x float>, ptr %v290, align 4
  %v292 = getelementptr float, ptr %v286, i64 24
  %v293 = load <8 x float>, ptr %v292, align 4
  %v294 = getelementptr float, ptr %v286, i64 32
  %v295 = load <8 x float>, ptr %v294, align 4
  %v296 = getelementptr float, ptr %v286, i64 40
  %v297 = load <8 x float>, ptr %v296, align 4
  %v298 = call <8 x float> @llvm.floor.v8f32(<8 x float> %v287)
  %v299 = fcmp olt <8 x float> %v298, %c0
  %v300 = select <8 x i1> %v299, <8 x float> %c0, <8 x float> %v298
  %v301 = fcmp ogt <8 x float> %v300, %c1
  %v302 = select <8 x i1> %v301, <8 x float> %c1, <8 x float> %v300
  %v303 = fcmp olt <8 x float> %v302, %c2
  %v304 = select <8 x i1> %v303, <8 x float> %c2, <8 x float> %v302
  %v305 = fcmp ogt <8 x float> %v304, %c3
  %v306 = select <8 x i1> %v305, <8 x float> %c3, <8 x float> %v304
  %v307 = fadd <8 x float> %v306, %c4
  %v308 = bitcast <8 x float> %v307 to <8 x i32>
  %v309 = shl <8 x i32> %v308, %c5
  %v310 = bitcast <8 x i32> %v309 to <8 x float>
  %v311 = fsub <8 x float> %v302, %v306
  %v312 = fcmp olt <8 x float> %v311, %c2
  %v313 = select <8 x i1> %v312, <8 x float> %c2, <8 x float> %v311
  %v314 = fcmp ogt <8 x float> %v313, %c3
  %v315 = select <8 x i1> %v314, <8 x float> %c3, <8 x float> %v313
  %v316 = fadd <8 x float> %v315, %c4
  %v317 = bitcast <8 x float> %v316 to <8 x i32>
  %v318 = shl <8 x i32> %v317, %c5
  %v319 = bitcast <8 x i32> %v318 to <8 x float>
  %v320 = fsub <8 x float> %v311, %v315
  %v321 = fadd <8 x float> %v320, %c4
  %v322 = bitcast <8 x float> %v321 to <8 x i32>
  %v323 = shl <8 x i32> %v322, %c5
  %v324 = bitcast <8 x i32> %v323 to <8 x float>
  %v325 = fcmp olt <8 x float> %v287, %c6
  %v326 = select <8 x i1> %v325, <8 x float> %c6, <8 x float> %v287
  %v327 = call <8 x float> @llvm.fabs.v8f32(<8 x float> %v287)
  %v328 = fcmp olt <8 x float> %v327, %c7
  %v329 = select <8 x i1> %v328, <8 x float> %v310, <8 x float> %v326
  %v330 = fmul <8 x float> %v274, %v324
  %v331 = fmul <8 x float> %v330, %v319
  %v332 = fmul <8 x float> %v331, %v329
  %v333 = call <8 x float> @llvm.floor.v8f32(<8 x float> %v289)
  %v334 = fcmp olt <8 x float> %v333, %c0
  %v335 = select <8 x i1> %v334, <8 x float> %c0, <8 x float> %v333
  %v336 = fcmp ogt <8 x float> %v335, %c1
  %v337 = select <8 x i1> %v336, <8 x float> %c1, <8 x float> %v335
  %v338 = fcmp olt <8 x float> %v337, %c2
  %v339 = select <8 x i1> %v338, <8 x float> %c2, <8 x float> %v337
  %v340 = fcmp ogt <8 x float> %v339, %c3
  %v341 = select <8 x i1> %v340, <8 x float> %c3, <8 x float> %v339
  %v342 = fadd <8 x float> %v341, %c4
  %v343 = bitcast <8 x float> %v342 to <8 x i32>
  %v344 = shl <8 x i32> %v343, %c5
  %v345 = bitcast <8 x i32> %v344 to <8 x float>
  %v346 = fsub <8 x float> %v337, %v341
  %v347 = fcmp olt <8 x float> %v346, %c2
  %v348 = select <8 x i1> %v347, <8 x float> %c2, <8 x float> %v346
  %v349 = fcmp ogt <8 x float> %v348, %c3
  %v350 = select <8 x i1> %v349, <8 x float> %c3, <8 x float> %v348
  %v351 = fadd <8 x float> %v350, %c4
  %v352 = bitcast <8 x float> %v351 to <8 x i32>
  %v353 = shl <8 x i32> %v352, %c5
  %v354 = bitcast <8 x i32> %v353 to <8 x float>
  %v355 = fsub <8 x float> %v346, %v350
  %v356 = fadd <8 x float> %v355, %c4
  %v357 = bitcast <8 x float> %v356 to <8 x i32>
  %v358 = shl <8 x i32> %v357, %c5
  %v359 = bitcast <8 x i32> %v358 to <8 x float>
  %v360 = fcmp olt <8 x float> %v289, %c6
  %v361 = select <8 x i1> %v360, <8 x float> %c6, <8 x float> %v289
  %v362 = call <8 x float> @llvm.fabs.v8f32(<8 x float> %v289)
  %v363 = fcmp olt <8 x float> %v362, %c7
  %v364 = select <8 x i1> %v363, <8 x float> %v345, <8 x float> %v361
  %v365 = fmul <8 x float> %v276, %v359
  %v366 = fmul <8 x float> %v365, %v354
  %v367 = fmul <8 x float> %v366, %v364
  %v368 = call <8 x float> @llvm.floor.v8f32(<8 x float> %v291)
  %v369 = fcmp olt <8 x float> %v368, %c0
  %v370 = select <8 x i1> %v369, <8 x float> %c0, <8 x float> %v368
  %v371 = fcmp ogt <8 x float> %v370, %c1
  %v372 = select <8 x i1> %v371, <8 x float> %c1, <8 x float> %v370
  %v373 = fcmp olt <8 x float> %v372, %c2
  %v374 = select <8 x i1> %v373, <8 x float> %c2, <8 x float> %v372
  %v375 = fcmp ogt <8 x float> %v374, %c3
  %v376 = select <8 x i1> %v375, <8 x float> %c3, <8 x float> %v374
  %v377 = fadd <8 x float> %v376, %c4
  %v378 = bitcast <8 x float> %v377 to <8 x i32>
  %v379 = shl <8 x i32> %v378, %c5
  %v380 = bitcast <8 x i32> %v379 to <8 x float>
  %v381 = fsub <8 x float> %v372, %v376
  %v382 = fcmp olt <8 x float> %v381, %c2
  %v383 = select <8 x i1> %v382, <8 x float> %c2, <8 x float> %v381
  %v384 = fcmp ogt <8 x float> %v383, %c3
  %v385 = select <8 x i1> %v384, <8 x float> %c3, <8 x float> %v383
  %v386 = fadd <8 x float> %v385, %c4
  %v387 = bitcast <8 x float> %v386 to <8 x i32>
  %v388 = shl <8 x i32> %v387, %c5
  %v389 = bitcast <8 x i32> %v388 to <8 x float>
  %v390 = fsub <8 x float> %v381, %v385
  %v391 = fadd <8 x float> %v390, %c4
  %v392 = bitcast <8 x float> %v391 to <8 x i32>
  %v393 = shl <8 x i32> %v392, %c5
  %v394 = bitcast <8 x i32> %v393 to <8 x float>
  %v395 = fcmp olt <8 x float> %v291, %c6
  %v396 = select <8 x i1> %v395, <8 x float> %c6, <8 x float> %v291
  %v397 = call <8 x float> @llvm.fabs.v8f32(<8 x float> %v291)
  %v398 = fcmp olt <8 x float> %v397, %c7
  %v399 = select <8 x i1> %v398, <8 x float> %v380, <8 x float> %v396
  %v400 = fmul <8 x float> %v278, %v394
  %v401 = fmul <8 x float> %v400, %v389
  %v402 = fmul <8 x float> %v401, %v399
  %v403 = call <8 x float> @llvm.floor.v8f32(<8 x float> %v293)
  %v404 = fcmp olt <8 x float> %v403, %c0
  %v405 = select <8 x i1> %v404, <8 x float> %c0, <8 x float> %v403
  %v406 = fcmp ogt <8 x float> %v405, %c1
  %v407 = select <8 x i1> %v406, <8 x float> %c1, <8 x float> %v405
  %v408 = fcmp olt <8 x float> %v407, %c2
  %v409 = select <8 x i1> %v408, <8 x float> %c2, <8 x float> %v407
  %v410 = fcmp ogt <8 x float> %v409, %c3
  %v411 = select <8 x i1> %v410, <8 x float> %c3, <8 x float> %v409
  %v412 = fadd <8 x float> %v411, %c4
  %v413 = bitcast <8 x float> %v412 to <8 x i32>
  %v414 = shl <8 x i32> %v413, %c5
  %v415 = bitcast <8 x i32> %v414 to <8 x float>
  %v416 = fsub <8 x float> %v407, %v411
  %v417 = fcmp olt <8 x float> %v416, %c2
  %v418 = select <8 x i1> %v417, <8 x float> %c2, <8 x float> %v416
  %v419 = fcmp ogt <8 x float> %v418, %c3
  %v420 = select <8 x i1> %v419, <8 x float> %c3, <8 x float> %v418
  %v421 = fadd <8 x float> %v420, %c4
  %v422 = bitcast <8 x float> %v421 to <8 x i32>
  %v423 = shl <8 x i32> %v422, %c5
  %v424 = bitcast <8 x i32> %v423 to <8 x float>
  %v425 = fsub <8 x float> %v416, %v420
  %v426 = fadd <8 x float> %v425, %c4
  %v427 = bitcast <8 x float> %v426 to <8 x i32>
  %v428 = shl <8 x i32> %v427, %c5
  %v429 = bitcast <8 x i32> %v428 to <8 x float>
  %v430 = fcmp olt <8 x float> %v293, %c6
  %v431 = select <8 x i1> %v430, <8 x float> %c6, <8 x float> %v293
  %v432 = call <8 x float> @llvm.fabs.v8f32(<8 x float> %v293)
  %v433 = fcmp olt <8 x float> %v432, %c7
  %v434 = select <8 x i1> %v433, <8 x float> %v415, <8 x float> %v431
  %v435 = fmul <8 x float> %v280, %v429
  %v436 = fmul <8 x float> %v435, %v424
  %v437 = fmul <8 x float> %v436, %v434
  %v438 = call <8 x float> @llvm.floor.v8f32(<8 x float> %v295)
  %v439 = fcmp olt <8 x float> %v438, %c0
  %v440 = select <8 x i1> %v439, <8 x float> %c0, <8 x float> %v438
  %v441 = fcmp ogt <8 x float> %v440, %c1
  %v442 = select <8 x i1> %v441, <8 x float> %c1, <8 x float> %v440
  %v443 = fcmp olt <8 x float> %v442, %c2
  %v444 = select <8 x i1> %v443, <8 x float> %c2, <8 x float> %v442
  %v445 = fcmp ogt <8 x float> %v444, %c3
  %v446 = select <8 x i1> %v445, <8 x float> %c3, <8 x float> %v444
  %v447 = fadd <8 x float> %v446, %c4
  %v448 = bitcast <8 x float> %v447 to <8 x i32>
  %v449 = shl <8 x i32> %v448, %c5
  %v450 = bitcast <8 x i32> %v449 to <8 x float>
  %v451 = fsub <8 x float> %v442, %v446
  %v452 = fcmp olt <8 x float> %v451, %c2
  %v453 = select <8 x i1> %v452, <8 x float> %c2, <8 x float> %v451
  %v454 = fcmp ogt <8 x float> %v453, %c3
  %v455 = select <8 x i1> %v454, <8 x float> %c3, <8 x float> %v453
  %v456 = fadd <8 x float> %v455, %c4
  %v457 = bitcast <8 x float> %v456 to <8 x i32>
  %v458 = shl <8 x i32> %v457, %c5
  %v459 = bitcast <8 x i32> %v458 to <8 x float>
  %v460 = fsub <8 x float> %v451, %v455
  %v461 = fadd <8 x float> %v460, %c4
  %v462 = bitcast <8 x float> %v461 to <8 x i32>
  %v463 = shl <8 x i32> %v462, %c5
  %v464 = bitcast <8 x i32> %v463 to <8 x float>
  %v465 = fcmp olt <8 x float> %v295, %c6
  %v466 = select <8 x i1> %v465, <8 x float> %c6, <8 x float> %v295
  %v467 = call <8 x float> @llvm.fabs.v8f32(<8 x float> %v295)
  %v468 = fcmp olt <8 x float> %v467, %c7
  %v469 = select <8 x i1> %v468, <8 x float> %v450, <8 x float> %v466
  %v470 = fmul <8 x float> %v282, %v464
  %v471 = fmul <8 x float> %v470, %v459
  %v472 = fmul <8 x float> %v471, %v469
  %v473 = call <8 x float> @llvm.floor.v8f32(<8 x float> %v297)
  %v474 = fcmp olt <8 x float> %v473, %c0
  %v475 = select <8 x i1> %v474, <8 x float> %c0, <8 x float> %v473
  %v476 = fcmp ogt <8 x float> %v475, %c1
  %v477 = select <8 x i1> %v476, <8 x float> %c1, <8 x float> %v475
  %v478 = fcmp olt <8 x float> %v477, %c2
  %v479 = select <8 x i1> %v478, <8 x float> %c2, <8 x float> %v477
  %v480 = fcmp ogt <8 x float> %v479, %c3
  %v481 = select <8 x i1> %v480, <8 x float> %c3, <8 x float> %v479
  %v482 = fadd <8 x float> %v481, %c4
  %v483 = bitcast <8 x float> %v482 to <8 x i32>
  %v484 = shl <8 x i32> %v483, %c5
  %v485 = bitcast <8 x i32> %v484 to <8 x float>
  %v486 = fsub <8 x float> %v477, %v481
  %v487 = fcmp olt <8 x float> %v486, %c2
  %v488 = select <8 x i1> %v487, <8 x float> %c2, <8 x float> %v486
  %v489 = fcmp ogt <8 x float> %v488, %c3
  %v490 = select <8 x i1> %v489, <8 x float> %c3, <8 x float> %v488
  %v491 = fadd <8 x float> %v490, %c4
  %v492 = bitcast <8 x float> %v491 to <8 x i32>
  %v493 = shl <8 x i32> %v492, %c5
  %v494 = bitcast <8 x i32> %v493 to <8 x float>
  %v495 = fsub <8 x float> %v486, %v490
  %v496 = fadd <8 x float> %v495, %c4
  %v497 = bitcast <8 x float> %v496 to <8 x i32>
  %v498 = shl <8 x i32> %v497, %c5
  %v499 = bitcast <8 x i32> %v498 to <8 x float>
  %v500 = fcmp olt <8 x float> %v297, %c6
  %v501 = select <8 x i1> %v500, <8 x float> %c6, <8 x float> %v297
  %v502 = call <8 x float> @llvm.fabs.v8f32(<8 x float> %v297)
  %v503 = fcmp olt <8 x float> %v502, %c7
  %v504 = select <8 x i1> %v503, <8 x float> %v485, <8 x float> %v501
  %v505 = fmul <8 x float> %v284, %v499
  %v506 = fmul <8 x float> %v505, %v494
  %v507 = fmul <8 x float> %v506, %v504
  %v508 = getelementptr float, ptr %p2.0, i64 %main.i
  store <8 x float> %v332, ptr %v508, align 4
  %v509 = getelementptr float, ptr %v508, i64 8
  store <8 x float> %v367, ptr %v509, align 4
  %v510 = getelementptr float, ptr %v508, i64 16
  store <8 x float> %v402, ptr %v510, align 4
  %v511 = getelementptr float, ptr %v508, i64 24
  store <8 x float> %v437, ptr %v511, align 4
  %v512 = getelementptr float, ptr %v508, i64 32
  store <8 x float> %v472, ptr %v512, align 4
  %v513 = getelementptr float, ptr %v508, i64 40
  store <8 x float> %v507, ptr %v513, align 4
  %main.i.next = add i64 %main.i, 48
  %v514 = icmp sgt i64 %main.i.next, %plain.last
  br i1 %v514, label %main.end, label %main, !llvm.loop !3
main.end:
  %stream.last = sub i64 %n, 8
  br i1 %streams, label %stream, label %vector.entry
stream:
  %stream.i = phi i64 [ %stream.from, %main.end ], [ %stream.i.next, %stream ]
  %v515 = and i64 %stream.i, %moves0
  %v516 = getelementptr float, ptr %p0.0, i64 %v515
  %v517 = getelementptr i8, ptr %v516, i64 4096
  call void @llvm.prefetch.p0(ptr %v517, i32 0, i32 3, i32 1)
  %v518 = load <8 x float>, ptr %v516, align 4
  %v519 = and i64 %stream.i, %moves1
  %v520 = getelementptr float, ptr %p1.0, i64 %v519
  %v521 = getelementptr i8, ptr %v520, i64 4096
  call void @llvm.prefetch.p0(ptr %v521, i32 0, i32 3, i32 1)
  %v522 = load <8 x float>, ptr %v520, align 4
  %v523 = call <8 x float> @llvm.floor.v8f32(<8 x float> %v522)
  %v524 = fcmp olt <8 x float> %v523, %c0
  %v525 = select <8 x i1> %v524, <8 x float> %c0, <8 x float> %v523
  %v526 = fcmp ogt <8 x float> %v525, %c1
  %v527 = select <8 x i1> %v526, <8 x float> %c1, <8 x float> %v525
  %v528 = fcmp olt <8 x float> %v527, %c2
  %v529 = select <8 x i1> %v528, <8 x float> %c2, <8 x float> %v527
  %v530 = fcmp ogt <8 x float> %v529, %c3
  %v531 = select <8 x i1> %v530, <8 x float> %c3, <8 x float> %v529
  %v532 = fadd <8 x float> %v531, %c4
  %v533 = bitcast <8 x float> %v532 to <8 x i32>
  %v534 = shl <8 x i32> %v533, %c5
  %v535 = bitcast <8 x i32> %v534 to <8 x float>
  %v536 = fsub <8 x float> %v527, %v531
  %v537 = fcmp olt <8 x float> %v536, %c2
  %v538 = select <8 x i1> %v537, <8 x float> %c2, <8 x float> %v536
  %v539 = fcmp ogt <8 x float> %v538, %c3
  %v540 = select <8 x i1> %v539, <8 x float> %c3, <8 x float> %v538
  %v541 = fadd <8 x float> %v540, %c4
  %v542 = bitcast <8 x float> %v541 to <8 x i32>
  %v543 = shl <8 x i32> %v542, %c5
  %v544 = bitcast <8 x i32> %v543 to <8 x float>
  %v545 = fsub <8 x float> %v536, %v540
  %v546 = fadd <8 x float> %v545, %c4
  %v547 = bitcast <8 x float> %v546 to <8 x i32>
  %v548 = shl <8 x i32> %v547, %c5
  %v549 = bitcast <8 x i32> %v548 to <8 x float>
  %v550 = fcmp olt <8 x float> %v522, %c6
  %v551 = select <8 x i1> %v550, <8 x float> %c6, <8 x float> %v522
  %v552 = call <8 x float> @llvm.fabs.v8f32(<8 x float> %v522)
  %v553 = fcmp olt <8 x float> %v552, %c7
  %v554 = select <8 x i1> %v553, <8 x float> %v535, <8 x float> %v551
  %v555 = fmul <8 x float> %v518, %v549
  %v556 = fmul <8 x float> %v555, %v544
  %v557 = fmul <8 x float> %v556, %v554
  %v558 = getelementptr float, ptr %p2.0, i64 %stream.i
  store <8 x float> %v557, ptr %v558, align 32, !nontemporal !1
  %stream.i.next = add i64 %stream.i, 8
  %v559 = icmp sgt i64 %stream.i.next, %stream.last
  br i1 %v559, label %stream.end, label %stream, !llvm.loop !4
stream.end:
  call void @llvm.x86.sse.sfence()
  br label %vector.entry
vector.entry:
  %vector.from = phi i64 [ 0, %inner ], [ %fetching.i.next, %fetching ], [ %main.i.next, %main.end ], [ %stream.i.next, %stream.end ]
  %v560 = icmp sgt i64 %vector.from, %vector.last
  br i1 %v560, label %tail.entry, label %vector
vector:
  %vector.i = phi i64 [ %vector.from, %vector.entry ], [ %vector.i.next, %vector ]
  %v561 = and i64 %vector.i, %moves0
  %v562 = getelementptr float, ptr %p0.0, i64 %v561
  %v563 = load <8 x float>, ptr %v562, align 4
  %v564 = and i64 %vector.i, %moves1
  %v565 = getelementptr float, ptr %p1.0, i64 %v564
  %v566 = load <8 x float>, ptr %v565, align 4
  %v567 = call <8 x float> @llvm.floor.v8f32(<8 x float> %v566)
  %v568 = fcmp olt <8 x float> %v567, %c0
  %v569 = select <8 x i1> %v568, <8 x float> %c0, <8 x float> %v567
  %v570 = fcmp ogt <8 x float> %v569, %c1
  %v571 = select <8 x i1> %v570, <8 x float> %c1, <8 x float> %v569
  %v572 = fcmp olt <8 x float> %v571, %c2
  %v573 = select <8 x i1> %v572, <8 x float> %c2, <8 x float> %v571
  %v574 = fcmp ogt <8 x float> %v573, %c3
  %v575 = select <8 x i1> %v574, <8 x float> %c3, <8 x float> %v573
  %v576 = fadd <8 x float> %v575, %c4
  %v577 = bitcast <8 x float> %v576 to <8 x i32>
  %v578 = shl <8 x i32> %v577, %c5
  %v579 = bitcast <8 x i32> %v578 to <8 x float>
  %v580 = fsub <8 x float> %v571, %v575
  %v581 = fcmp olt <8 x float> %v580, %c2
  %v582 = select <8 x i1> %v581, <8 x float> %c2, <8 x float> %v580
  %v583 = fcmp ogt <8 x float> %v582, %c3
  %v584 = select <8 x i1> %v583, <8 x float> %c3, <8 x float> %v582
  %v585 = fadd <8 x float> %v584, %c4
  %v586 = bitcast <8 x float> %v585 to <8 x i32>
  %v587 = shl <8 x i32> %v586, %c5
  %v588 = bitcast <8 x i32> %v587 to <8 x float>
  %v589 = fsub <8 x float> %v580, %v584
  %v590 = fadd <8 x float> %v589, %c4
  %v591 = bitcast <8 x float> %v590 to <8 x i32>
  %v592 = shl <8 x i32> %v591, %c5
  %v593 = bitcast <8 x i32> %v592 to <8 x float>
  %v594 = fcmp olt <8 x float> %v566, %c6
  %v595 = select <8 x i1> %v594, <8 x float> %c6, <8 x float> %v566
  %v596 = call <8 x float> @llvm.fabs.v8f32(<8 x float> %v566)
  %v597 = fcmp olt <8 x float> %v596, %c7
  %v598 = select <8 x i1> %v597, <8 x float> %v579, <8 x float> %v595
  %v599 = fmul <8 x float> %v563, %v593
  %v600 = fmul <8 x float> %v599, %v588
  %v601 = fmul <8 x float> %v600, %v598
  %v602 = getelementptr float, ptr %p2.0, i64 %vector.i
  store <8 x float> %v601, ptr %v602, align 4
  %vector.i.next = add i64 %vector.i, 8
  %v603 = icmp sgt i64 %vector.i.next, %vector.last
  br i1 %v603, label %tail.entry, label %vector, !llvm.loop !5
tail.entry:
  %tail.from = phi i64 [ %vector.from, %vector.entry ], [ %vector.i.next, %vector ]
  %tail.left = sub i64 %n, %tail.from
  %v604 = icmp eq i64 %tail.left, 0
  br i1 %v604, label %exit, label %tail
tail:
  %v605 = trunc i64 %tail.left to i32
  %v606 = insertelement <8 x i32> poison, i32 %v605, i64 0
  %v607 = shufflevector <8 x i32> %v606, <8 x i32> poison, <8 x i32> zeroinitializer
  %v608 = icmp ult <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v607
  %v609 = and i64 %tail.from, %moves0
  %v610 = getelementptr float, ptr %p0.0, i64 %v609
  %v611 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v610, i32 4, <8 x i1> %v608, <8 x float> zeroinitializer)
  %v612 = and i64 %tail.from, %moves1
  %v613 = getelementptr float, ptr %p1.0, i64 %v612
  %v614 = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %v613, i32 4, <8 x i1> %v608, <8 x float> zeroinitializer)
  %v615 = call <8 x float> @llvm.floor.v8f32(<8 x float> %v614)
  %v616 = fcmp olt <8 x float> %v615, %c0
  %v617 = select <8 x i1> %v616, <8 x float> %c0, <8 x float> %v615
  %v618 = fcmp ogt <8 x float> %v617, %c1
  %v619 = select <8 x i1> %v618, <8 x float> %c1, <8 x float> %v617
  %v620 = fcmp olt <8 x float> %v619, %c2
  %v621 = select <8 x i1> %v620, <8 x float> %c2, <8 x float> %v619
  %v622 = fcmp ogt <8 x float> %v621, %c3
  %v623 = select <8 x i1> %v622, <8 x float> %c3, <8 x float> %v621
  %v624 = fadd <8 x float> %v623, %c4
  %v625 = bitcast <8 x float> %v624 to <8 x i32>
  %v626 = shl <8 x i32> %v625, %c5
  %v627 = bitcast <8 x i32> %v626 to <8 x float>
  %v628 = fsub <8 x float> %v619, %v623
  %v629 = fcmp olt <8 x float> %v628, %c2
  %v630 = select <8 x i1> %v629, <8 x float> %c2, <8 x float> %v628
  %v631 = fcmp ogt <8 x float> %v630, %c3
  %v632 = select <8 x i1> %v631, <8 x float> %c3, <8 x float> %v630
  %v633 = fadd <8 x float> %v632, %c4
  %v634 = bitcast <8 x float> %v633 to <8 x i32>
  %v635 = shl <8 x i32> %v634, %c5
  %v636 = bitcast <8 x i32> %v635 to <8 x float>
  %v637 = fsub <8 x float> %v628, %v632
  %v638 = fadd <8 x float> %v637, %c4
  %v639 = bitcast <8 x float> %v638 to <8 x i32>
  %v640 = shl <8 x i32> %v639, %c5
  %v641 = bitcast <8 x i32> %v640 to <8 x float>
  %v642 = fcmp olt <8 x float> %v614, %c6
  %v643 = select <8 x i1> %v642, <8 x float> %c6, <8 x float> %v614
  %v644 = call <8 x float> @llvm.fabs.v8f32(<8 x float> %v614)
  %v645 = fcmp olt <8 x float> %v644, %c7
  %v646 = select <8 x i1> %v645, <8 x float> %v627, <8 x float> %v643
  %v647 = fmul <8 x float> %v611, %v641
  %v648 = fmul <8 x float> %v647, %v636
  %v649 = fmul <8 x float> %v648, %v646
  %v650 = getelementptr float, ptr %p2.0, i64 %tail.from
  call void @llvm.masked.store.v8f32.p0(<8 x float> %v649, ptr %v650, i32 4, <8 x i1> %v608)
  br label %exit
exit:
  ret i32 0
}

define internal i32 @strided(ptr %args) noinline #0 {
entry:
  %buffer0 = alloca [128 x float], align 64
  %buffer1 = alloca [128 x float], align 64
  %buffer2 = alloca [128 x float], align 64
  %chunk.args = alloca [4 x ptr], align 8
  %chunk.whole = getelementptr i64, ptr %chunk.args, i64 3
  store i64 0, ptr %chunk.whole, align 8
  %chunk.data = alloca [3 x ptr], align 8
  %v0 = getelementptr ptr, ptr %chunk.args, i64 0
  store ptr %chunk.data, ptr %v0, align 8
  %chunk.counts = alloca [1 x i64], align 8
  %v1 = getelementptr ptr, ptr %chunk.args, i64 1
  store ptr %chunk.counts, ptr %v1, align 8
  %chunk.strides = alloca [3 x i64], align 8
  %v2 = getelementptr ptr, ptr %chunk.args, i64 2
  store ptr %chunk.strides, ptr %v2, align 8
  %data.at = getelementptr ptr, ptr %args, i64 0
  %data = load ptr, ptr %data.at, align 8
  %counts.at = getelementptr ptr, ptr %args, i64 1
  %counts = load ptr, ptr %counts.at, align 8
  %strides.at = getelementptr ptr, ptr %args, i64 2
  %strides = load ptr, ptr %strides.at, align 8
  %n.at = getelementptr i64, ptr %counts, i64 0
  %n = load i64, ptr %n.at, align 8
  %v3 = icmp sle i64 %n, 0
  %p0.at = getelementptr ptr, ptr %data, i64 0
  %p0.0 = load ptr, ptr %p0.at, align 8
  %s0.0.at = getelementptr i64, ptr %strides, i64 0
  %s0.0 = load i64, ptr %s0.0.at, align 8
  %p1.at = getelementptr ptr, ptr %data, i64 1
  %p1.0 = load ptr, ptr %p1.at, align 8
  %s1.0.at = getelementptr i64, ptr %strides, i64 1
  %s1.0 = load i64, ptr %s1.0.at, align 8
  %p2.at = getelementptr ptr, ptr %data, i64 2
  %p2.0 = load ptr, ptr %p2.at, align 8
  %s2.0.at = getelementptr i64, ptr %strides, i64 2
  %s2.0 = load i64, ptr %s2.0.at, align 8
  %unit0 = icmp eq i64 %s0.0, 4
  %fixed0 = icmp eq i64 %s0.0, 0
  %plain0 = or i1 %unit0, %fixed0
  %v4 = select i1 %fixed0, i64 0, i64 4
  %v5 = getelementptr i64, ptr %chunk.strides, i64 0
  store i64 %v4, ptr %v5, align 8
  %unit1 = icmp eq i64 %s1.0, 4
  %fixed1 = icmp eq i64 %s1.0, 0
  %plain1 = or i1 %unit1, %fixed1
  %v6 = select i1 %fixed1, i64 0, i64 4
  %v7 = getelementptr i64, ptr %chunk.strides, i64 1
  store i64 %v6, ptr %v7, align 8
  %unit2 = icmp eq i64 %s2.0, 4
  %fixed2 = icmp eq i64 %s2.0, 0
  %plain2 = or i1 %unit2, false
  %v8 = select i1 %fixed2, i64 0, i64 4
  %v9 = getelementptr i64, ptr %chunk.strides, i64 2
  store i64 4, ptr %v9, align 8
  %v10 = and i1 %plain0, %plain1
  %v11 = and i1 %v10, %plain2
  %chunk.limit = select i1 %v11, i64 %n, i64 128
  br i1 %v3, label %exit, label %inner
inner:
  br i1 %fixed0, label %fill0, label %filled0
fill0:
  %v12 = load float, ptr %p0.0, align 4
  %v13 = insertelement <8 x float> poison, float %v12, i64 0
  %v14 = shufflevector <8 x float> %v13, <8 x float> poison, <8 x i32> zeroinitializer
  store <8 x float> %v14, ptr %buffer0, align 4
  %v15 = getelementptr float, ptr %buffer0, i64 8
  store <8 x float> %v14, ptr %v15, align 4
  %v16 = getelementptr float, ptr %buffer0, i64 16
  store <8 x float> %v14, ptr %v16, align 4
  %v17 = getelementptr float, ptr %buffer0, i64 24
  store <8 x float> %v14, ptr %v17, align 4
  %v18 = getelementptr float, ptr %buffer0, i64 32
  store <8 x float> %v14, ptr %v18, align 4
  %v19 = getelementptr float, ptr %buffer0, i64 40
  store <8 x float> %v14, ptr %v19, align 4
  br label %filled0
filled0:
  br i1 %fixed1, label %fill1, label %filled1
fill1:
  %v20 = load float, ptr %p1.0, align 4
  %v21 = insertelement <8 x float> poison, float %v20, i64 0
  %v22 = shufflevector <8 x float> %v21, <8 x float> poison, <8 x i32> zeroinitializer
  store <8 x float> %v22, ptr %buffer1, align 4
  %v23 = getelementptr float, ptr %buffer1, i64 8
  store <8 x float> %v22, ptr %v23, align 4
  %v24 = getelementptr float, ptr %buffer1, i64 16
  store <8 x float> %v22, ptr %v24, align 4
  %v25 = getelementptr float, ptr %buffer1, i64 24
  store <8 x float> %v22, ptr %v25, align 4
  %v26 = getelementptr float, ptr %buffer1, i64 32
  store <8 x float> %v22, ptr %v26, align 4
  %v27 = getelementptr float, ptr %buffer1, i64 40
  store <8 x float> %v22, ptr %v27, align 4
  br label %filled1
filled1:
  br label %chunk
chunk:
  %chunk.left = phi i64 [ %n, %filled1 ], [ %chunk.left.next, %chunk.next ]
  %q0 = phi ptr [ %p0.0, %filled1 ], [ %q0.next, %chunk.next ]
  %q1 = phi ptr [ %p1.0, %filled1 ], [ %q1.next, %chunk.next ]
  %q2 = phi ptr [ %p2.0, %filled1 ], [ %q2.next, %chunk.next ]
  %chunk.n = call i64 @llvm.umin.i64(i64 %chunk.left, i64 %chunk.limit)
  %v28 = getelementptr i64, ptr %chunk.counts, i64 0
  store i64 %chunk.n, ptr %v28, align 8
  %v29 = select i1 %unit0, ptr %q0, ptr %buffer0
  %v30 = getelementptr i64, ptr %chunk.data, i64 0
  store ptr %v29, ptr %v30, align 8
  br i1 %plain0, label %packed0, label %pack0
pack0:
  %v31 = mul i64 %s0.0, 4
  call void @pack32(ptr %buffer0, ptr %q0, i64 %s0.0, i64 %chunk.n, i64 %v31)
  br label %packed0
packed0:
  %v32 = select i1 %unit1, ptr %q1, ptr %buffer1
  %v33 = getelementptr i64, ptr %chunk.data, i64 1
  store ptr %v32, ptr %v33, align 8
  br i1 %plain1, label %packed1, label %pack1
pack1:
  %v34 = mul i64 %s1.0, 4
  call void @pack32(ptr %buffer1, ptr %q1, i64 %s1.0, i64 %chunk.n, i64 %v34)
  br label %packed1
packed1:
  %v35 = select i1 %unit2, ptr %q2, ptr %buffer2
  %v36 = getelementptr i64, ptr %chunk.data, i64 2
  store ptr %v35, ptr %v36, align 8
  call i32 @contiguous(ptr %chunk.args)
  br i1 %plain2, label %unpacked2, label %unpack2
unpack2:
  %v37 = mul i64 %s2.0, 4
  call void @unpack32(ptr %buffer2, ptr %q2, i64 %s2.0, i64 %chunk.n, i64 %v37)
  br label %unpacked2
unpacked2:
  br label %chunk.next
chunk.next:
  %chunk.left.next = sub i64 %chunk.left, %chunk.n
  %v38 = mul i64 %chunk.n, %s0.0
  %q0.next = getelementptr i8, ptr %q0, i64 %v38
  %v39 = mul i64 %chunk.n, %s1.0
  %q1.next = getelementptr i8, ptr %q1, i64 %v39
  %v40 = mul i64 %chunk.n, %s2.0
  %q2.next = getelementptr i8, ptr %q2, i64 %v40
  %v41 = icmp eq i64 %chunk.left.next, 0
  br i1 %v41, label %exit, label %chunk, !llvm.loop !6
exit:
  ret i32 0
}

define internal void @pack32(ptr %buffer, ptr %strided, i64 %stride, i64 %n, i64 %quad) noinline #0 {
entry:
  %whole.last = sub i64 %n, 8
  %step = mul i64 %stride, 8
  %v0 = icmp slt i64 %whole.last, 0
  br i1 %v0, label %quad.entry, label %some
some:
  switch i64 %stride, label %quad.entry [ i64 -4, label %by0 i64 8, label %by1 i64 12, label %by2 i64 16, label %by3 ]
by0:
  %by0.i = phi i64 [ 0, %some ], [ %by0.i.next, %by0 ]
  %by0.at = phi ptr [ %strided, %some ], [ %by0.at.next, %by0 ]
  %v1 = getelementptr float, ptr %buffer, i64 %by0.i
  %v2 = getelementptr float, ptr %by0.at, i64 -7
  %v3 = load <8 x float>, ptr %v2, align 4
  %v4 = shufflevector <8 x float> %v3, <8 x float> poison, <8 x i32> <i32 7, i32 6, i32 5, i32 4, i32 3, i32 2, i32 1, i32 0>
  store <8 x float> %v4, ptr %v1, align 4
  %by0.at.next = getelementptr i8, ptr %by0.at, i64 %step
  %by0.i.next = add i64 %by0.i, 8
  %v5 = icmp sgt i64 %by0.i.next, %whole.last
  br i1 %v5, label %quad.entry, label %by0, !llvm.loop !7
by1:
  %by1.i = phi i64 [ 0, %some ], [ %by1.i.next, %by1 ]
  %by1.at = phi ptr [ %strided, %some ], [ %by1.at.next, %by1 ]
  %v6 = getelementptr float, ptr %buffer, i64 %by1.i
  %v7 = load <8 x float>, ptr %by1.at, align 4
  %v8 = shufflevector <8 x float> %v7, <8 x float> poison, <8 x i32> <i32 0, i32 2, i32 4, i32 6, i32 poison, i32 poison, i32 poison, i32 poison>
  %v9 = getelementptr float, ptr %by1.at, i64 7
  %v10 = load <8 x float>, ptr %v9, align 4
  %v11 = shufflevector <8 x float> %v8, <8 x float> %v10, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 9, i32 11, i32 13, i32 15>
  store <8 x float> %v11, ptr %v6, align 4
  %by1.at.next = getelementptr i8, ptr %by1.at, i64 %step
  %by1.i.next = add i64 %by1.i, 8
  %v12 = icmp sgt i64 %by1.i.next, %whole.last
  br i1 %v12, label %quad.entry, label %by1, !llvm.loop !8
by2:
  %by2.i = phi i64 [ 0, %some ], [ %by2.i.next, %by2 ]
  %by2.at = phi ptr [ %strided, %some ], [ %by2.at.next, %by2 ]
  %v13 = getelementptr float, ptr %buffer, i64 %by2.i
  %v14 = load <8 x float>, ptr %by2.at, align 4
  %v15 = shufflevector <8 x float> %v14, <8 x float> poison, <8 x i32> <i32 0, i32 3, i32 6, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison>
  %v16 = getelementptr float, ptr %by2.at, i64 8
  %v17 = load <8 x float>, ptr %v16, align 4
  %v18 = shufflevector <8 x float> %v15, <8 x float> %v17, <8 x i32> <i32 0, i32 1, i32 2, i32 9, i32 12, i32 15, i32 poison, i32 poison>
  %v19 = getelementptr float, ptr %by2.at, i64 14
  %v20 = load <8 x float>, ptr %v19, align 4
  %v21 = shufflevector <8 x float> %v18, <8 x float> %v20, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 12, i32 15>
  store <8 x float> %v21, ptr %v13, align 4
  %by2.at.next = getelementptr i8, ptr %by2.at, i64 %step
  %by2.i.next = add i64 %by2.i, 8
  %v22 = icmp sgt i64 %by2.i.next, %whole.last
  br i1 %v22, label %quad.entry, label %by2, !llvm.loop !9
by3:
  %by3.i = phi i64 [ 0, %some ], [ %by3.i.next, %by3 ]
  %by3.at = phi ptr [ %strided, %some ], [ %by3.at.next, %by3 ]
  %v23 = getelementptr float, ptr %buffer, i64 %by3.i
  %v24 = load <8 x float>, ptr %by3.at, align 4
  %v25 = shufflevector <8 x float> %v24, <8 x float> poison, <8 x i32> <i32 0, i32 4, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison>
  %v26 = getelementptr float, ptr %by3.at, i64 8
  %v27 = load <8 x float>, ptr %v26, align 4
  %v28 = shufflevector <8 x float> %v25, <8 x float> %v27, <8 x i32> <i32 0, i32 1, i32 8, i32 12, i32 poison, i32 poison, i32 poison, i32 poison>
  %v29 = getelementptr float, ptr %by3.at, i64 16
  %v30 = load <8 x float>, ptr %v29, align 4
  %v31 = shufflevector <8 x float> %v28, <8 x float> %v30, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 12, i32 poison, i32 poison>
  %v32 = getelementptr float, ptr %by3.at, i64 21
  %v33 = load <8 x float>, ptr %v32, align 4
  %v34 = shufflevector <8 x float> %v31, <8 x float> %v33, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 11, i32 15>
  store <8 x float> %v34, ptr %v23, align 4
  %by3.at.next = getelementptr i8, ptr %by3.at, i64 %step
  %by3.i.next = add i64 %by3.i, 8
  %v35 = icmp sgt i64 %by3.i.next, %whole.last
  br i1 %v35, label %quad.entry, label %by3, !llvm.loop !10
quad.entry:
  %quad.from.i = phi i64 [ 0, %entry ], [ 0, %some ], [ %by0.i.next, %by0 ], [ %by1.i.next, %by1 ], [ %by2.i.next, %by2 ], [ %by3.i.next, %by3 ]
  %quad.from.at = phi ptr [ %strided, %entry ], [ %strided, %some ], [ %by0.at.next, %by0 ], [ %by1.at.next, %by1 ], [ %by2.at.next, %by2 ], [ %by3.at.next, %by3 ]
  %quad.n = and i64 %n, -8
  %quad.last = sub i64 %quad.n, 4
  %v36 = icmp sgt i64 %quad.from.i, %quad.last
  br i1 %v36, label %rest.entry, label %quad.loop
quad.loop:
  %quad.loop.i = phi i64 [ %quad.from.i, %quad.entry ], [ %quad.loop.i.next, %quad.loop ]
  %quad.loop.at = phi ptr [ %quad.from.at, %quad.entry ], [ %quad.loop.at.next, %quad.loop ]
  %v37 = getelementptr float, ptr %buffer, i64 %quad.loop.i
  %v38 = load float, ptr %quad.loop.at, align 4
  %v39 = insertelement <4 x float> poison, float %v38, i64 0
  %v40 = getelementptr i8, ptr %quad.loop.at, i64 %stride
  %v41 = load float, ptr %v40, align 4
  %v42 = insertelement <4 x float> %v39, float %v41, i64 1
  %v43 = getelementptr i8, ptr %v40, i64 %stride
  %v44 = load float, ptr %v43, align 4
  %v45 = insertelement <4 x float> %v42, float %v44, i64 2
  %v46 = getelementptr i8, ptr %v43, i64 %stride
  %v47 = load float, ptr %v46, align 4
  %v48 = insertelement <4 x float> %v45, float %v47, i64 3
  store <4 x float> %v48, ptr %v37, align 4
  %quad.loop.at.next = getelementptr i8, ptr %quad.loop.at, i64 %quad
  %quad.loop.i.next = add i64 %quad.loop.i, 4
  %v49 = icmp sgt i64 %quad.loop.i.next, %quad.last
  br i1 %v49, label %rest.entry, label %quad.loop, !llvm.loop !11
rest.entry:
  %rest.from.i = phi i64 [ %quad.from.i, %quad.entry ], [ %quad.loop.i.next, %quad.loop ]
  %rest.from.at = phi ptr [ %quad.from.at, %quad.entry ], [ %quad.loop.at.next, %quad.loop ]
  %rest.last = sub i64 %n, 1
  %v50 = icmp eq i64 %rest.from.i, %n
  br i1 %v50, label %done, label %rest
rest:
  %rest.i = phi i64 [ %rest.from.i, %rest.entry ], [ %rest.i.next, %rest ]
  %rest.at = phi ptr [ %rest.from.at, %rest.entry ], [ %rest.at.next, %rest ]
  %filled = phi <8 x float> [ zeroinitializer, %rest.entry ], [ %filled.next, %rest ]
  %v51 = sub i64 %rest.i, %rest.from.i
  %v52 = trunc i64 %v51 to i32
  %v53 = insertelement <8 x i32> poison, i32 %v52, i64 0
  %v54 = shufflevector <8 x i32> %v53, <8 x i32> poison, <8 x i32> zeroinitializer
  %v55 = icmp eq <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>, %v54
  %v56 = load float, ptr %rest.at, align 4
  %v57 = insertelement <8 x float> poison, float %v56, i64 0
  %v58 = shufflevector <8 x float> %v57, <8 x float> poison, <8 x i32> zeroinitializer
  %filled.next = select <8 x i1> %v55, <8 x float> %v58, <8 x float> %filled
  %rest.at.next = getelementptr i8, ptr %rest.at, i64 %stride
  %rest.i.next = add i64 %rest.i, 1
  %v59 = icmp sgt i64 %rest.i.next, %rest.last
  br i1 %v59, label %store, label %rest, !llvm.loop !12
store:
  %v60 = getelementptr float, ptr %buffer, i64 %rest.from.i
  store <8 x float> %filled.next, ptr %v60, align 4
  br label %done
done:
  ret void
}

define internal void @unpack32(ptr %buffer, ptr %strided, i64 %stride, i64 %n, i64 %quad) noinline #0 {
entry:
  %whole.last = sub i64 %n, 8
  %step = mul i64 %stride, 8
  %v0 = icmp slt i64 %whole.last, 0
  br i1 %v0, label %quad.entry, label %some
some:
  switch i64 %stride, label %quad.entry [ i64 -4, label %by0 ]
by0:
  %by0.i = phi i64 [ 0, %some ], [ %by0.i.next, %by0 ]
  %by0.at = phi ptr [ %strided, %some ], [ %by0.at.next, %by0 ]
  %v1 = getelementptr float, ptr %buffer, i64 %by0.i
  %v2 = load <8 x float>, ptr %v1, align 4
  %v3 = getelementptr float, ptr %by0.at, i64 -7
  %v4 = shufflevector <8 x float> %v2, <8 x float> poison, <8 x i32> <i32 7, i32 6, i32 5, i32 4, i32 3, i32 2, i32 1, i32 0>
  store <8 x float> %v4, ptr %v3, align 4
  %by0.at.next = getelementptr i8, ptr %by0.at, i64 %step
  %by0.i.next = add i64 %by0.i, 8
  %v5 = icmp sgt i64 %by0.i.next, %whole.last
  br i1 %v5, label %quad.entry, label %by0, !llvm.loop !13
quad.entry:
  %quad.from.i = phi i64 [ 0, %entry ], [ 0, %some ], [ %by0.i.next, %by0 ]
  %quad.from.at = phi ptr [ %strided, %entry ], [ %strided, %some ], [ %by0.at.next, %by0 ]
  %quad.n = and i64 %n, -8
  %quad.last = sub i64 %quad.n, 4
  %v6 = icmp sgt i64 %quad.from.i, %quad.last
  br i1 %v6, label %rest.entry, label %quad.loop
quad.loop:
  %quad.loop.i = phi i64 [ %quad.from.i, %quad.entry ], [ %quad.loop.i.next, %quad.loop ]
  %quad.loop.at = phi ptr [ %quad.from.at, %quad.entry ], [ %quad.loop.at.next, %quad.loop ]
  %v7 = getelementptr float, ptr %buffer, i64 %quad.loop.i
  %v8 = load <4 x float>, ptr %v7, align 4
  %v9 = extractelement <4 x float> %v8, i64 0
  store float %v9, ptr %quad.loop.at, align 4
  %v10 = getelementptr i8, ptr %quad.loop.at, i64 %stride
  %v11 = extractelement <4 x float> %v8, i64 1
  store float %v11, ptr %v10, align 4
  %v12 = getelementptr i8, ptr %v10, i64 %stride
  %v13 = extractelement <4 x float> %v8, i64 2
  store float %v13, ptr %v12, align 4
  %v14 = getelementptr i8, ptr %v12, i64 %stride
  %v15 = extractelement <4 x float> %v8, i64 3
  store float %v15, ptr %v14, align 4
  %quad.loop.at.next = getelementptr i8, ptr %quad.loop.at, i64 %quad
  %quad.loop.i.next = add i64 %quad.loop.i, 4
  %v16 = icmp sgt i64 %quad.loop.i.next, %quad.last
  br i1 %v16, label %rest.entry, label %quad.loop, !llvm.loop !14
rest.entry:
  %rest.from.i = phi i64 [ %quad.from.i, %quad.entry ], [ %quad.loop.i.next, %quad.loop ]
  %rest.from.at = phi ptr [ %quad.from.at, %quad.entry ], [ %quad.loop.at.next, %quad.loop ]
  %rest.last = sub i64 %n, 1
  %v17 = icmp eq i64 %rest.from.i, %n
  br i1 %v17, label %done, label %rest
rest:
  %rest.i = phi i64 [ %rest.from.i, %rest.entry ], [ %rest.i.next, %rest ]
  %rest.at = phi ptr [ %rest.from.at, %rest.entry ], [ %rest.at.next, %rest ]
  %v18 = getelementptr float, ptr %buffer, i64 %rest.i
  %v19 = load <1 x float>, ptr %v18, align 4
  %v20 = extractelement <1 x float> %v19, i64 0
  store float %v20, ptr %rest.at, align 4
  %rest.at.next = getelementptr i8, ptr %rest.at, i64 %stride
  %rest.i.next = add i64 %rest.i, 1
  %v21 = icmp sgt i64 %rest.i.next, %rest.last
  br i1 %v21, label %done, label %rest, !llvm.loop !15
done:
  ret void
}

declare <8 x float> @llvm.fabs.v8f32(<8 x float>)
declare <8 x float> @llvm.floor.v8f32(<8 x float>)
declare <8 x float> @llvm.masked.load.v8f32.p0(ptr, i32, <8 x i1>, <8 x float>)
declare i64 @llvm.umax.i64(i64, i64)
declare i64 @llvm.umin.i64(i64, i64)
declare void @llvm.masked.store.v8f32.p0(<8 x float>, ptr, i32, <8 x i1>)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
declare void @llvm.x86.sse.sfence()

attributes #0 = { nounwind "no-builtins" "target-cpu"="x86-64-v3" }

!0 = !{!"llvm.loop.unroll.disable"}
!1 = !{i32 1}
!2 = distinct !{!2, !0}
!3 = distinct !{!3, !0}
!4 = distinct !{!4, !0}
!5 = distinct !{!5, !0}
!6 = distinct !{!6, !0}
!7 = distinct !{!7, !0}
!8 = distinct !{!8, !0}
!9 = distinct !{!9, !0}
!10 = distinct !{!10, !0}
!11 = distinct !{!11, !0}
!12 = distinct !{!12, !0}
!13 = distinct !{!13, !0}
!14 = distinct !{!14, !0}
!15 = distinct !{!15, !0}
