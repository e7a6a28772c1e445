target triple = "x86_64-unknown-linux-gnu"

define i32 @yolk_kernel(ptr %args) #0 {
entry:
  %c0.0 = insertelement <16 x float> poison, float 0x4008000000000000, i64 0
  %c0 = shufflevector <16 x float> %c0.0, <16 x float> poison, <16 x i32> zeroinitializer
  %c1.0 = insertelement <16 x float> poison, float 0x3FD5555560000000, i64 0
  %c1 = shufflevector <16 x float> %c1.0, <16 x float> poison, <16 x i32> zeroinitializer
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
  %block0 = mul i64 %s0.0, 16
  %p1.at = getelementptr ptr, ptr %data, i64 1
  %p1.0 = load ptr, ptr %p1.at, align 8
  %s1.0.at = getelementptr i64, ptr %strides, i64 1
  %s1.0 = load i64, ptr %s1.0.at, align 8
  %unit1 = icmp eq i64 %s1.0, 4
  %block1 = mul i64 %s1.0, 16
  %n.vectors = and i64 %n, -16
  %n.main = and i64 %n, -64
  %v1 = and i1 %unit0, %unit1
  br i1 %v0, label %exit, label %inner
inner:
  br i1 %v1, label %main.entry, label %strided.entry
main.entry:
  %main.none = icmp eq i64 %n.main, 0
  br i1 %main.none, label %vector.entry, label %main
main:
  %main.i = phi i64 [ 0, %main.entry ], [ %main.i.next, %main ]
  %v2 = getelementptr float, ptr %p0.0, i64 %main.i
  %v3 = load <16 x float>, ptr %v2, align 4
  %v4 = getelementptr float, ptr %v2, i64 16
  %v5 = load <16 x float>, ptr %v4, align 4
  %v6 = getelementptr float, ptr %v2, i64 32
  %v7 = load <16 x float>, ptr %v6, align 4
  %v8 = getelementptr float, ptr %v2, i64 48
  %v9 = load <16 x float>, ptr %v8, align 4
  %v10 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v3, <16 x float> %c0, <16 x float> %c1)
  %v11 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v5, <16 x float> %c0, <16 x float> %c1)
  %v12 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v7, <16 x float> %c0, <16 x float> %c1)
  %v13 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v9, <16 x float> %c0, <16 x float> %c1)
  %v14 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v10, <16 x float> %v3, <16 x float> %c0)
  %v15 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v11, <16 x float> %v5, <16 x float> %c0)
  %v16 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v12, <16 x float> %v7, <16 x float> %c0)
  %v17 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v13, <16 x float> %v9, <16 x float> %c0)
  %v18 = getelementptr float, ptr %p1.0, i64 %main.i
  store <16 x float> %v14, ptr %v18, align 4
  %v19 = getelementptr float, ptr %v18, i64 16
  store <16 x float> %v15, ptr %v19, align 4
  %v20 = getelementptr float, ptr %v18, i64 32
  store <16 x float> %v16, ptr %v20, align 4
  %v21 = getelementptr float, ptr %v18, i64 48
  store <16 x float> %v17, ptr %v21, align 4
  %main.i.next = add i64 %main.i, 64
  %v22 = icmp eq i64 %main.i.next, %n.main
  br i1 %v22, label %vector.entry, label %main, !llvm.loop !0
vector.entry:
  %vector.none = icmp eq i64 %n.main, %n.vectors
  br i1 %vector.none, label %tail.entry, label %vector
vector:
  %vector.i = phi i64 [ %n.main, %vector.entry ], [ %vector.i.next, %vector ]
  %v23 = getelementptr float, ptr %p0.0, i64 %vector.i
  %v24 = load <16 x float>, ptr %v23, align 4
  %v25 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v24, <16 x float> %c0, <16 x float> %c1)
  %v26 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v25, <16 x float> %v24, <16 x float> %c0)
  %v27 = getelementptr float, ptr %p1.0, i64 %vector.i
  store <16 x float> %v26, ptr %v27, align 4
  %vector.i.next = add i64 %vector.i, 16
  %v28 = icmp eq i64 %vector.i.next, %n.vectors
  br i1 %v28, label %tail.entry, label %vector, !llvm.loop !1
tail.entry:
  %tail.none = icmp eq i64 %n.vectors, %n
  br i1 %tail.none, label %exit, label %tail
tail:
  %v29 = sub i64 %n, %n.vectors
  %v30 = trunc i64 %v29 to i32
  %v31 = insertelement <16 x i32> poison, i32 %v30, i64 0
  %v32 = shufflevector <16 x i32> %v31, <16 x i32> poison, <16 x i32> zeroinitializer
  %v33 = icmp ult <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>, %v32
  %v34 = getelementptr float, ptr %p0.0, i64 %n.vectors
  %v35 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v34, i32 4, <16 x i1> %v33, <16 x float> zeroinitializer)
  %v36 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v35, <16 x float> %c0, <16 x float> %c1)
  %v37 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v36, <16 x float> %v35, <16 x float> %c0)
  %v38 = getelementptr float, ptr %p1.0, i64 %n.vectors
  call void @llvm.masked.store.v16f32.p0(<16 x float> %v37, ptr %v38, i32 4, <16 x i1> %v33)
  br label %exit
strided.entry:
  %strided.none = icmp eq i64 %n.vectors, 0
  br i1 %strided.none, label %rest.entry, label %strided
strided:
  %strided.i = phi i64 [ 0, %strided.entry ], [ %strided.i.next, %strided.next ]
  %q0 = phi ptr [ %p0.0, %strided.entry ], [ %q0.next, %strided.next ]
  %q1 = phi ptr [ %p1.0, %strided.entry ], [ %q1.next, %strided.next ]
  br i1 %unit0, label %in0.unit, label %in0.other
in0.unit:
  %v39 = load <16 x float>, ptr %q0, align 4
  br label %in0
in0.other:
  %v40 = load float, ptr %q0, align 4
  %v41 = icmp eq i64 %s0.0, 0
  br i1 %v41, label %in0.same, label %in0.lanes
in0.same:
  %v42 = insertelement <16 x float> poison, float %v40, i64 0
  %v43 = shufflevector <16 x float> %v42, <16 x float> poison, <16 x i32> zeroinitializer
  br label %in0
in0.lanes:
  %v44 = insertelement <4 x float> poison, float %v40, i64 0
  %v45 = getelementptr i8, ptr %q0, i64 %s0.0
  %v46 = load float, ptr %v45, align 4
  %v47 = insertelement <4 x float> %v44, float %v46, i64 1
  %v48 = getelementptr i8, ptr %v45, i64 %s0.0
  %v49 = load float, ptr %v48, align 4
  %v50 = insertelement <4 x float> %v47, float %v49, i64 2
  %v51 = getelementptr i8, ptr %v48, i64 %s0.0
  %v52 = load float, ptr %v51, align 4
  %v53 = insertelement <4 x float> %v50, float %v52, i64 3
  %v54 = getelementptr i8, ptr %v51, i64 %s0.0
  %v55 = load float, ptr %v54, align 4
  %v56 = insertelement <4 x float> poison, float %v55, i64 0
  %v57 = getelementptr i8, ptr %v54, i64 %s0.0
  %v58 = load float, ptr %v57, align 4
  %v59 = insertelement <4 x float> %v56, float %v58, i64 1
  %v60 = getelementptr i8, ptr %v57, i64 %s0.0
  %v61 = load float, ptr %v60, align 4
  %v62 = insertelement <4 x float> %v59, float %v61, i64 2
  %v63 = getelementptr i8, ptr %v60, i64 %s0.0
  %v64 = load float, ptr %v63, align 4
  %v65 = insertelement <4 x float> %v62, float %v64, i64 3
  %v66 = getelementptr i8, ptr %v63, i64 %s0.0
  %v67 = load float, ptr %v66, align 4
  %v68 = insertelement <4 x float> poison, float %v67, i64 0
  %v69 = getelementptr i8, ptr %v66, i64 %s0.0
  %v70 = load float, ptr %v69, align 4
  %v71 = insertelement <4 x float> %v68, float %v70, i64 1
  %v72 = getelementptr i8, ptr %v69, i64 %s0.0
  %v73 = load float, ptr %v72, align 4
  %v74 = insertelement <4 x float> %v71, float %v73, i64 2
  %v75 = getelementptr i8, ptr %v72, i64 %s0.0
  %v76 = load float, ptr %v75, align 4
  %v77 = insertelement <4 x float> %v74, float %v76, i64 3
  %v78 = getelementptr i8, ptr %v75, i64 %s0.0
  %v79 = load float, ptr %v78, align 4
  %v80 = insertelement <4 x float> poison, float %v79, i64 0
  %v81 = getelementptr i8, ptr %v78, i64 %s0.0
  %v82 = load float, ptr %v81, align 4
  %v83 = insertelement <4 x float> %v80, float %v82, i64 1
  %v84 = getelementptr i8, ptr %v81, i64 %s0.0
  %v85 = load float, ptr %v84, align 4
  %v86 = insertelement <4 x float> %v83, float %v85, i64 2
  %v87 = getelementptr i8, ptr %v84, i64 %s0.0
  %v88 = load float, ptr %v87, align 4
  %v89 = insertelement <4 x float> %v86, float %v88, i64 3
  %v90 = shufflevector <4 x float> %v53, <4 x float> %v65, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v91 = shufflevector <4 x float> %v77, <4 x float> %v89, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %v92 = shufflevector <8 x float> %v90, <8 x float> %v91, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  br label %in0
in0:
  %v93 = phi <16 x float> [ %v39, %in0.unit ], [ %v43, %in0.same ], [ %v92, %in0.lanes ]
  %v94 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v93, <16 x float> %c0, <16 x float> %c1)
  %v95 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v94, <16 x float> %v93, <16 x float> %c0)
  br i1 %unit1, label %out1.unit, label %out1.lanes
out1.unit:
  store <16 x float> %v95, ptr %q1, align 4
  br label %out1
out1.lanes:
  %v96 = extractelement <16 x float> %v95, i64 0
  store float %v96, ptr %q1, align 4
  %v97 = getelementptr i8, ptr %q1, i64 %s1.0
  %v98 = extractelement <16 x float> %v95, i64 1
  store float %v98, ptr %v97, align 4
  %v99 = getelementptr i8, ptr %v97, i64 %s1.0
  %v100 = extractelement <16 x float> %v95, i64 2
  store float %v100, ptr %v99, align 4
  %v101 = getelementptr i8, ptr %v99, i64 %s1.0
  %v102 = extractelement <16 x float> %v95, i64 3
  store float %v102, ptr %v101, align 4
  %v103 = getelementptr i8, ptr %v101, i64 %s1.0
  %v104 = extractelement <16 x float> %v95, i64 4
  store float %v104, ptr %v103, align 4
  %v105 = getelementptr i8, ptr %v103, i64 %s1.0
  %v106 = extractelement <16 x float> %v95, i64 5
  store float %v106, ptr %v105, align 4
  %v107 = getelementptr i8, ptr %v105, i64 %s1.0
  %v108 = extractelement <16 x float> %v95, i64 6
  store float %v108, ptr %v107, align 4
  %v109 = getelementptr i8, ptr %v107, i64 %s1.0
  %v110 = extractelement <16 x float> %v95, i64 7
  store float %v110, ptr %v109, align 4
  %v111 = getelementptr i8, ptr %v109, i64 %s1.0
  %v112 = extractelement <16 x float> %v95, i64 8
  store float %v112, ptr %v111, align 4
  %v113 = getelementptr i8, ptr %v111, i64 %s1.0
  %v114 = extractelement <16 x float> %v95, i64 9
  store float %v114, ptr %v113, align 4
  %v115 = getelementptr i8, ptr %v113, i64 %s1.0
  %v116 = extractelement <16 x float> %v95, i64 10
  store float %v116, ptr %v115, align 4
  %v117 = getelementptr i8, ptr %v115, i64 %s1.0
  %v118 = extractelement <16 x float> %v95, i64 11
  store float %v118, ptr %v117, align 4
  %v119 = getelementptr i8, ptr %v117, i64 %s1.0
  %v120 = extractelement <16 x float> %v95, i64 12
  store float %v120, ptr %v119, align 4
  %v121 = getelementptr i8, ptr %v119, i64 %s1.0
  %v122 = extractelement <16 x float> %v95, i64 13
  store float %v122, ptr %v121, align 4
  %v123 = getelementptr i8, ptr %v121, i64 %s1.0
  %v124 = extractelement <16 x float> %v95, i64 14
  store float %v124, ptr %v123, align 4
  %v125 = getelementptr i8, ptr %v123, i64 %s1.0
  %v126 = extractelement <16 x float> %v95, i64 15
  store float %v126, ptr %v125, align 4
  br label %out1
out1:
  br label %strided.next
strided.next:
  %strided.i.next = add i64 %strided.i, 16
  %q0.next = getelementptr i8, ptr %q0, i64 %block0
  %q1.next = getelementptr i8, ptr %q1, i64 %block1
  %v127 = icmp eq i64 %strided.i.next, %n.vectors
  br i1 %v127, label %rest.entry, label %strided, !llvm.loop !2
rest.entry:
  %r0 = phi ptr [ %p0.0, %strided.entry ], [ %q0.next, %strided.next ]
  %r1 = phi ptr [ %p1.0, %strided.entry ], [ %q1.next, %strided.next ]
  %rest = sub i64 %n, %n.vectors
  %rest.none = icmp eq i64 %rest, 0
  br i1 %rest.none, label %exit, label %fill
fill:
  %fill.i = phi i64 [ 0, %rest.entry ], [ %fill.i.next, %fill ]
  %fill0.at = phi ptr [ %r0, %rest.entry ], [ %fill0.at.next, %fill ]
  %fill0 = phi <16 x float> [ zeroinitializer, %rest.entry ], [ %fill0.next, %fill ]
  %v128 = load float, ptr %fill0.at, align 4
  %fill0.next = insertelement <16 x float> %fill0, float %v128, i64 %fill.i
  %fill0.at.next = getelementptr i8, ptr %fill0.at, i64 %s0.0
  %fill.i.next = add i64 %fill.i, 1
  %v129 = icmp eq i64 %fill.i.next, %rest
  br i1 %v129, label %rest.compute, label %fill, !llvm.loop !3
rest.compute:
  %v130 = call <16 x float> @llvm.fma.v16f32(<16 x float> %fill0.next, <16 x float> %c0, <16 x float> %c1)
  %v131 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v130, <16 x float> %fill0.next, <16 x float> %c0)
  br label %drain
drain:
  %drain.i = phi i64 [ 0, %rest.compute ], [ %drain.i.next, %drain ]
  %drain0.at = phi ptr [ %r1, %rest.compute ], [ %drain0.at.next, %drain ]
  %v132 = extractelement <16 x float> %v131, i64 %drain.i
  store float %v132, ptr %drain0.at, align 4
  %drain0.at.next = getelementptr i8, ptr %drain0.at, i64 %s1.0
  %drain.i.next = add i64 %drain.i, 1
  %v133 = icmp eq i64 %drain.i.next, %rest
  br i1 %v133, label %exit, label %drain, !llvm.loop !4
exit:
  ret i32 0
}

declare <16 x float> @llvm.fma.v16f32(<16 x float>, <16 x float>, <16 x float>)
declare <16 x float> @llvm.masked.load.v16f32.p0(ptr, i32, <16 x i1>, <16 x float>)
declare void @llvm.masked.store.v16f32.p0(<16 x float>, ptr, i32, <16 x i1>)

attributes #0 = { nounwind "no-builtins" "target-cpu"="x86-64-v4" "prefer-vector-width"="512" "min-legal-vector-width"="512" }

!0 = distinct !{!0, !5}
!1 = distinct !{!1, !5}
!2 = distinct !{!2, !5}
!3 = distinct !{!3, !5}
!4 = distinct !{!4, !5}
!5 = !{!"llvm.loop.unroll.disable"}
