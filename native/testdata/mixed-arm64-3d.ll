target triple = "aarch64-unknown-linux-gnu"

define i32 @yolk_kernel(ptr %args) #0 {
entry:
  %data = load ptr, ptr %args, align 8
  %counts.at = getelementptr ptr, ptr %args, i64 1
  %counts = load ptr, ptr %counts.at, align 8
  %strides.at = getelementptr ptr, ptr %args, i64 2
  %strides = load ptr, ptr %strides.at, align 8
  %n0.at = getelementptr i64, ptr %counts, i64 0
  %n0 = load i64, ptr %n0.at, align 8
  %v0 = icmp sle i64 %n0, 0
  %n1.at = getelementptr i64, ptr %counts, i64 1
  %n1 = load i64, ptr %n1.at, align 8
  %v1 = icmp sle i64 %n1, 0
  %n.at = getelementptr i64, ptr %counts, i64 2
  %n = load i64, ptr %n.at, align 8
  %v2 = icmp sle i64 %n, 0
  %p0.at = getelementptr ptr, ptr %data, i64 0
  %p0.0 = load ptr, ptr %p0.at, align 8
  %s0.0.at = getelementptr i64, ptr %strides, i64 0
  %s0.0 = load i64, ptr %s0.0.at, align 8
  %s0.1.at = getelementptr i64, ptr %strides, i64 1
  %s0.1 = load i64, ptr %s0.1.at, align 8
  %s0.2.at = getelementptr i64, ptr %strides, i64 2
  %s0.2 = load i64, ptr %s0.2.at, align 8
  %unit0 = icmp eq i64 %s0.2, 4
  %block0 = mul i64 %s0.2, 2
  %p1.at = getelementptr ptr, ptr %data, i64 1
  %p1.0 = load ptr, ptr %p1.at, align 8
  %s1.0.at = getelementptr i64, ptr %strides, i64 3
  %s1.0 = load i64, ptr %s1.0.at, align 8
  %s1.1.at = getelementptr i64, ptr %strides, i64 4
  %s1.1 = load i64, ptr %s1.1.at, align 8
  %s1.2.at = getelementptr i64, ptr %strides, i64 5
  %s1.2 = load i64, ptr %s1.2.at, align 8
  %unit1 = icmp eq i64 %s1.2, 8
  %block1 = mul i64 %s1.2, 2
  %p2.at = getelementptr ptr, ptr %data, i64 2
  %p2.0 = load ptr, ptr %p2.at, align 8
  %s2.0.at = getelementptr i64, ptr %strides, i64 6
  %s2.0 = load i64, ptr %s2.0.at, align 8
  %s2.1.at = getelementptr i64, ptr %strides, i64 7
  %s2.1 = load i64, ptr %s2.1.at, align 8
  %s2.2.at = getelementptr i64, ptr %strides, i64 8
  %s2.2 = load i64, ptr %s2.2.at, align 8
  %unit2 = icmp eq i64 %s2.2, 4
  %block2 = mul i64 %s2.2, 2
  %p3.at = getelementptr ptr, ptr %data, i64 3
  %p3.0 = load ptr, ptr %p3.at, align 8
  %s3.0.at = getelementptr i64, ptr %strides, i64 9
  %s3.0 = load i64, ptr %s3.0.at, align 8
  %s3.1.at = getelementptr i64, ptr %strides, i64 10
  %s3.1 = load i64, ptr %s3.1.at, align 8
  %s3.2.at = getelementptr i64, ptr %strides, i64 11
  %s3.2 = load i64, ptr %s3.2.at, align 8
  %unit3 = icmp eq i64 %s3.2, 8
  %block3 = mul i64 %s3.2, 2
  %n.vectors = and i64 %n, -2
  %n.main = and i64 %n, -4
  %v3 = and i1 %unit0, %unit1
  %v4 = and i1 %v3, %unit2
  %v5 = and i1 %v4, %unit3
  %v6 = or i1 %v0, %v1
  %v7 = or i1 %v6, %v2
  br i1 %v7, label %exit, label %loop0
loop0:
  %i0 = phi i64 [ 0, %entry ], [ %i0.next, %next0 ]
  %p0.1 = phi ptr [ %p0.0, %entry ], [ %p0.1.next, %next0 ]
  %p1.1 = phi ptr [ %p1.0, %entry ], [ %p1.1.next, %next0 ]
  %p2.1 = phi ptr [ %p2.0, %entry ], [ %p2.1.next, %next0 ]
  %p3.1 = phi ptr [ %p3.0, %entry ], [ %p3.1.next, %next0 ]
  br label %loop1
loop1:
  %i1 = phi i64 [ 0, %loop0 ], [ %i1.next, %next1 ]
  %p0.2 = phi ptr [ %p0.1, %loop0 ], [ %p0.2.next, %next1 ]
  %p1.2 = phi ptr [ %p1.1, %loop0 ], [ %p1.2.next, %next1 ]
  %p2.2 = phi ptr [ %p2.1, %loop0 ], [ %p2.2.next, %next1 ]
  %p3.2 = phi ptr [ %p3.1, %loop0 ], [ %p3.2.next, %next1 ]
  br label %inner
inner:
  br i1 %v5, label %main.entry, label %strided.entry
main.entry:
  %main.none = icmp eq i64 %n.main, 0
  br i1 %main.none, label %vector.entry, label %main
main:
  %main.i = phi i64 [ 0, %main.entry ], [ %main.i.next, %main ]
  %v8 = getelementptr float, ptr %p0.2, i64 %main.i
  %v9 = load <2 x float>, ptr %v8, align 4
  %v10 = getelementptr float, ptr %v8, i64 2
  %v11 = load <2 x float>, ptr %v10, align 4
  %v12 = getelementptr double, ptr %p1.2, i64 %main.i
  %v13 = load <2 x double>, ptr %v12, align 8
  %v14 = getelementptr double, ptr %v12, i64 2
  %v15 = load <2 x double>, ptr %v14, align 8
  %v16 = fpext <2 x float> %v9 to <2 x double>
  %v17 = fpext <2 x float> %v11 to <2 x double>
  %v18 = fcmp olt <2 x double> %v16, %v13
  %v19 = fcmp olt <2 x double> %v17, %v15
  %v20 = select <2 x i1> %v18, <2 x double> %v13, <2 x double> %v16
  %v21 = select <2 x i1> %v19, <2 x double> %v15, <2 x double> %v17
  %v22 = fptrunc <2 x double> %v20 to <2 x float>
  %v23 = fptrunc <2 x double> %v21 to <2 x float>
  %v24 = getelementptr float, ptr %p2.2, i64 %main.i
  store <2 x float> %v22, ptr %v24, align 4
  %v25 = getelementptr float, ptr %v24, i64 2
  store <2 x float> %v23, ptr %v25, align 4
  %v26 = getelementptr double, ptr %p3.2, i64 %main.i
  store <2 x double> %v20, ptr %v26, align 8
  %v27 = getelementptr double, ptr %v26, i64 2
  store <2 x double> %v21, ptr %v27, align 8
  %main.i.next = add i64 %main.i, 4
  %v28 = icmp eq i64 %main.i.next, %n.main
  br i1 %v28, label %vector.entry, label %main, !llvm.loop !0
vector.entry:
  %vector.none = icmp eq i64 %n.main, %n.vectors
  br i1 %vector.none, label %tail.entry, label %vector
vector:
  %vector.i = phi i64 [ %n.main, %vector.entry ], [ %vector.i.next, %vector ]
  %v29 = getelementptr float, ptr %p0.2, i64 %vector.i
  %v30 = load <2 x float>, ptr %v29, align 4
  %v31 = getelementptr double, ptr %p1.2, i64 %vector.i
  %v32 = load <2 x double>, ptr %v31, align 8
  %v33 = fpext <2 x float> %v30 to <2 x double>
  %v34 = fcmp olt <2 x double> %v33, %v32
  %v35 = select <2 x i1> %v34, <2 x double> %v32, <2 x double> %v33
  %v36 = fptrunc <2 x double> %v35 to <2 x float>
  %v37 = getelementptr float, ptr %p2.2, i64 %vector.i
  store <2 x float> %v36, ptr %v37, align 4
  %v38 = getelementptr double, ptr %p3.2, i64 %vector.i
  store <2 x double> %v35, ptr %v38, align 8
  %vector.i.next = add i64 %vector.i, 2
  %v39 = icmp eq i64 %vector.i.next, %n.vectors
  br i1 %v39, label %tail.entry, label %vector, !llvm.loop !1
tail.entry:
  %tail.none = icmp eq i64 %n.vectors, %n
  br i1 %tail.none, label %next1, label %tail
tail:
  %v40 = sub i64 %n, %n.vectors
  %v41 = trunc i64 %v40 to i32
  %v42 = insertelement <2 x i32> poison, i32 %v41, i64 0
  %v43 = shufflevector <2 x i32> %v42, <2 x i32> poison, <2 x i32> zeroinitializer
  %v44 = icmp ult <2 x i32> <i32 0, i32 1>, %v43
  %v45 = getelementptr float, ptr %p0.2, i64 %n.vectors
  %v46 = call <2 x float> @llvm.masked.load.v2f32.p0(ptr %v45, i32 4, <2 x i1> %v44, <2 x float> zeroinitializer)
  %v47 = getelementptr double, ptr %p1.2, i64 %n.vectors
  %v48 = call <2 x double> @llvm.masked.load.v2f64.p0(ptr %v47, i32 8, <2 x i1> %v44, <2 x double> zeroinitializer)
  %v49 = fpext <2 x float> %v46 to <2 x double>
  %v50 = fcmp olt <2 x double> %v49, %v48
  %v51 = select <2 x i1> %v50, <2 x double> %v48, <2 x double> %v49
  %v52 = fptrunc <2 x double> %v51 to <2 x float>
  %v53 = getelementptr float, ptr %p2.2, i64 %n.vectors
  call void @llvm.masked.store.v2f32.p0(<2 x float> %v52, ptr %v53, i32 4, <2 x i1> %v44)
  %v54 = getelementptr double, ptr %p3.2, i64 %n.vectors
  call void @llvm.masked.store.v2f64.p0(<2 x double> %v51, ptr %v54, i32 8, <2 x i1> %v44)
  br label %next1
strided.entry:
  %strided.none = icmp eq i64 %n.vectors, 0
  br i1 %strided.none, label %rest.entry, label %strided
strided:
  %strided.i = phi i64 [ 0, %strided.entry ], [ %strided.i.next, %strided.next ]
  %q0 = phi ptr [ %p0.2, %strided.entry ], [ %q0.next, %strided.next ]
  %q1 = phi ptr [ %p1.2, %strided.entry ], [ %q1.next, %strided.next ]
  %q2 = phi ptr [ %p2.2, %strided.entry ], [ %q2.next, %strided.next ]
  %q3 = phi ptr [ %p3.2, %strided.entry ], [ %q3.next, %strided.next ]
  br i1 %unit0, label %in0.unit, label %in0.other
in0.unit:
  %v55 = load <2 x float>, ptr %q0, align 4
  br label %in0
in0.other:
  %v56 = load float, ptr %q0, align 4
  %v57 = icmp eq i64 %s0.2, 0
  br i1 %v57, label %in0.same, label %in0.lanes
in0.same:
  %v58 = insertelement <2 x float> poison, float %v56, i64 0
  %v59 = shufflevector <2 x float> %v58, <2 x float> poison, <2 x i32> zeroinitializer
  br label %in0
in0.lanes:
  %v60 = insertelement <2 x float> poison, float %v56, i64 0
  %v61 = getelementptr i8, ptr %q0, i64 %s0.2
  %v62 = load float, ptr %v61, align 4
  %v63 = insertelement <2 x float> %v60, float %v62, i64 1
  br label %in0
in0:
  %v64 = phi <2 x float> [ %v55, %in0.unit ], [ %v59, %in0.same ], [ %v63, %in0.lanes ]
  br i1 %unit1, label %in1.unit, label %in1.other
in1.unit:
  %v65 = load <2 x double>, ptr %q1, align 8
  br label %in1
in1.other:
  %v66 = load double, ptr %q1, align 8
  %v67 = icmp eq i64 %s1.2, 0
  br i1 %v67, label %in1.same, label %in1.lanes
in1.same:
  %v68 = insertelement <2 x double> poison, double %v66, i64 0
  %v69 = shufflevector <2 x double> %v68, <2 x double> poison, <2 x i32> zeroinitializer
  br label %in1
in1.lanes:
  %v70 = insertelement <2 x double> poison, double %v66, i64 0
  %v71 = getelementptr i8, ptr %q1, i64 %s1.2
  %v72 = load double, ptr %v71, align 8
  %v73 = insertelement <2 x double> %v70, double %v72, i64 1
  br label %in1
in1:
  %v74 = phi <2 x double> [ %v65, %in1.unit ], [ %v69, %in1.same ], [ %v73, %in1.lanes ]
  %v75 = fpext <2 x float> %v64 to <2 x double>
  %v76 = fcmp olt <2 x double> %v75, %v74
  %v77 = select <2 x i1> %v76, <2 x double> %v74, <2 x double> %v75
  %v78 = fptrunc <2 x double> %v77 to <2 x float>
  br i1 %unit2, label %out2.unit, label %out2.lanes
out2.unit:
  store <2 x float> %v78, ptr %q2, align 4
  br label %out2
out2.lanes:
  %v79 = extractelement <2 x float> %v78, i64 0
  store float %v79, ptr %q2, align 4
  %v80 = getelementptr i8, ptr %q2, i64 %s2.2
  %v81 = extractelement <2 x float> %v78, i64 1
  store float %v81, ptr %v80, align 4
  br label %out2
out2:
  br i1 %unit3, label %out3.unit, label %out3.lanes
out3.unit:
  store <2 x double> %v77, ptr %q3, align 8
  br label %out3
out3.lanes:
  %v82 = extractelement <2 x double> %v77, i64 0
  store double %v82, ptr %q3, align 8
  %v83 = getelementptr i8, ptr %q3, i64 %s3.2
  %v84 = extractelement <2 x double> %v77, i64 1
  store double %v84, ptr %v83, align 8
  br label %out3
out3:
  br label %strided.next
strided.next:
  %strided.i.next = add i64 %strided.i, 2
  %q0.next = getelementptr i8, ptr %q0, i64 %block0
  %q1.next = getelementptr i8, ptr %q1, i64 %block1
  %q2.next = getelementptr i8, ptr %q2, i64 %block2
  %q3.next = getelementptr i8, ptr %q3, i64 %block3
  %v85 = icmp eq i64 %strided.i.next, %n.vectors
  br i1 %v85, label %rest.entry, label %strided, !llvm.loop !2
rest.entry:
  %r0 = phi ptr [ %p0.2, %strided.entry ], [ %q0.next, %strided.next ]
  %r1 = phi ptr [ %p1.2, %strided.entry ], [ %q1.next, %strided.next ]
  %r2 = phi ptr [ %p2.2, %strided.entry ], [ %q2.next, %strided.next ]
  %r3 = phi ptr [ %p3.2, %strided.entry ], [ %q3.next, %strided.next ]
  %rest = sub i64 %n, %n.vectors
  %rest.none = icmp eq i64 %rest, 0
  br i1 %rest.none, label %next1, label %fill
fill:
  %fill.i = phi i64 [ 0, %rest.entry ], [ %fill.i.next, %fill ]
  %fill0.at = phi ptr [ %r0, %rest.entry ], [ %fill0.at.next, %fill ]
  %fill0 = phi <2 x float> [ zeroinitializer, %rest.entry ], [ %fill0.next, %fill ]
  %fill1.at = phi ptr [ %r1, %rest.entry ], [ %fill1.at.next, %fill ]
  %fill1 = phi <2 x double> [ zeroinitializer, %rest.entry ], [ %fill1.next, %fill ]
  %v86 = load float, ptr %fill0.at, align 4
  %fill0.next = insertelement <2 x float> %fill0, float %v86, i64 %fill.i
  %fill0.at.next = getelementptr i8, ptr %fill0.at, i64 %s0.2
  %v87 = load double, ptr %fill1.at, align 8
  %fill1.next = insertelement <2 x double> %fill1, double %v87, i64 %fill.i
  %fill1.at.next = getelementptr i8, ptr %fill1.at, i64 %s1.2
  %fill.i.next = add i64 %fill.i, 1
  %v88 = icmp eq i64 %fill.i.next, %rest
  br i1 %v88, label %rest.compute, label %fill, !llvm.loop !3
rest.compute:
  %v89 = fpext <2 x float> %fill0.next to <2 x double>
  %v90 = fcmp olt <2 x double> %v89, %fill1.next
  %v91 = select <2 x i1> %v90, <2 x double> %fill1.next, <2 x double> %v89
  %v92 = fptrunc <2 x double> %v91 to <2 x float>
  br label %drain
drain:
  %drain.i = phi i64 [ 0, %rest.compute ], [ %drain.i.next, %drain ]
  %drain0.at = phi ptr [ %r2, %rest.compute ], [ %drain0.at.next, %drain ]
  %drain1.at = phi ptr [ %r3, %rest.compute ], [ %drain1.at.next, %drain ]
  %v93 = extractelement <2 x float> %v92, i64 %drain.i
  store float %v93, ptr %drain0.at, align 4
  %drain0.at.next = getelementptr i8, ptr %drain0.at, i64 %s2.2
  %v94 = extractelement <2 x double> %v91, i64 %drain.i
  store double %v94, ptr %drain1.at, align 8
  %drain1.at.next = getelementptr i8, ptr %drain1.at, i64 %s3.2
  %drain.i.next = add i64 %drain.i, 1
  %v95 = icmp eq i64 %drain.i.next, %rest
  br i1 %v95, label %next1, label %drain, !llvm.loop !4
next1:
  %i1.next = add i64 %i1, 1
  %p0.2.next = getelementptr i8, ptr %p0.2, i64 %s0.1
  %p1.2.next = getelementptr i8, ptr %p1.2, i64 %s1.1
  %p2.2.next = getelementptr i8, ptr %p2.2, i64 %s2.1
  %p3.2.next = getelementptr i8, ptr %p3.2, i64 %s3.1
  %v96 = icmp eq i64 %i1.next, %n1
  br i1 %v96, label %next0, label %loop1, !llvm.loop !5
next0:
  %i0.next = add i64 %i0, 1
  %p0.1.next = getelementptr i8, ptr %p0.1, i64 %s0.0
  %p1.1.next = getelementptr i8, ptr %p1.1, i64 %s1.0
  %p2.1.next = getelementptr i8, ptr %p2.1, i64 %s2.0
  %p3.1.next = getelementptr i8, ptr %p3.1, i64 %s3.0
  %v97 = icmp eq i64 %i0.next, %n0
  br i1 %v97, label %exit, label %loop0, !llvm.loop !6
exit:
  ret i32 0
}

declare <2 x double> @llvm.masked.load.v2f64.p0(ptr, i32, <2 x i1>, <2 x double>)
declare <2 x float> @llvm.masked.load.v2f32.p0(ptr, i32, <2 x i1>, <2 x float>)
declare void @llvm.masked.store.v2f32.p0(<2 x float>, ptr, i32, <2 x i1>)
declare void @llvm.masked.store.v2f64.p0(<2 x double>, ptr, i32, <2 x i1>)

attributes #0 = { nounwind "no-builtins" "target-cpu"="generic" }

!0 = distinct !{!0, !7}
!1 = distinct !{!1, !7}
!2 = distinct !{!2, !7}
!3 = distinct !{!3, !7}
!4 = distinct !{!4, !7}
!5 = distinct !{!5, !7}
!6 = distinct !{!6, !7}
!7 = !{!"llvm.loop.unroll.disable"}
