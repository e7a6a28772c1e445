target triple = "aarch64-unknown-linux-gnu"

define i32 @yolk_kernel(ptr %args) #0 {
entry:
  %strides.at = getelementptr ptr, ptr %args, i64 2
  %strides = load ptr, ptr %strides.at, align 8
  %s0.at = getelementptr i64, ptr %strides, i64 2
  %s0 = load i64, ptr %s0.at, align 8
  %v0 = icmp eq i64 %s0, 4
  %s1.at = getelementptr i64, ptr %strides, i64 5
  %s1 = load i64, ptr %s1.at, align 8
  %v1 = icmp eq i64 %s1, 8
  %s2.at = getelementptr i64, ptr %strides, i64 8
  %s2 = load i64, ptr %s2.at, align 8
  %v2 = icmp eq i64 %s2, 4
  %s3.at = getelementptr i64, ptr %strides, i64 11
  %s3 = load i64, ptr %s3.at, align 8
  %v3 = icmp eq i64 %s3, 8
  %v4 = and i1 %v0, %v1
  %v5 = and i1 %v4, %v2
  %v6 = and i1 %v5, %v3
  br i1 %v6, label %contiguous, label %other
other:
  %counts.at = getelementptr ptr, ptr %args, i64 1
  %counts = load ptr, ptr %counts.at, align 8
  %n.at = getelementptr i64, ptr %counts, i64 2
  %n = load i64, ptr %n.at, align 8
  %v7 = icmp eq i64 %n, 1
  br i1 %v7, label %contiguous, label %strided
contiguous:
  %v8 = musttail call i32 @contiguous(ptr %args)
  ret i32 %v8
strided:
  %v9 = musttail call i32 @strided(ptr %args)
  ret i32 %v9
}

define internal i32 @contiguous(ptr %args) noinline #0 {
entry:
  %data.at = getelementptr ptr, ptr %args, i64 0
  %data = load ptr, ptr %data.at, align 8
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
  %p1.at = getelementptr ptr, ptr %data, i64 1
  %p1.0 = load ptr, ptr %p1.at, align 8
  %s1.0.at = getelementptr i64, ptr %strides, i64 3
  %s1.0 = load i64, ptr %s1.0.at, align 8
  %s1.1.at = getelementptr i64, ptr %strides, i64 4
  %s1.1 = load i64, ptr %s1.1.at, align 8
  %s1.2.at = getelementptr i64, ptr %strides, i64 5
  %s1.2 = load i64, ptr %s1.2.at, align 8
  %p2.at = getelementptr ptr, ptr %data, i64 2
  %p2.0 = load ptr, ptr %p2.at, align 8
  %s2.0.at = getelementptr i64, ptr %strides, i64 6
  %s2.0 = load i64, ptr %s2.0.at, align 8
  %s2.1.at = getelementptr i64, ptr %strides, i64 7
  %s2.1 = load i64, ptr %s2.1.at, align 8
  %s2.2.at = getelementptr i64, ptr %strides, i64 8
  %s2.2 = load i64, ptr %s2.2.at, align 8
  %p3.at = getelementptr ptr, ptr %data, i64 3
  %p3.0 = load ptr, ptr %p3.at, align 8
  %s3.0.at = getelementptr i64, ptr %strides, i64 9
  %s3.0 = load i64, ptr %s3.0.at, align 8
  %s3.1.at = getelementptr i64, ptr %strides, i64 10
  %s3.1 = load i64, ptr %s3.1.at, align 8
  %s3.2.at = getelementptr i64, ptr %strides, i64 11
  %s3.2 = load i64, ptr %s3.2.at, align 8
  %v3 = or i1 %v0, %v1
  %v4 = or i1 %v3, %v2
  %v5 = lshr i64 %s0.2, 2
  %moves0 = sub i64 0, %v5
  %v6 = lshr i64 %s1.2, 3
  %moves1 = sub i64 0, %v6
  %main.last = sub i64 %n, 12
  %vector.last = sub i64 %n, 2
  br i1 %v4, label %exit, label %loop0
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
  %v7 = icmp slt i64 %main.last, 0
  br i1 %v7, label %vector.entry, label %long
long:
  %v8 = mul i64 %n, %n0
  %v9 = mul i64 %v8, %n1
  %whole.at = getelementptr i64, ptr %args, i64 3
  %whole = load i64, ptr %whole.at, align 8
  %total = call i64 @llvm.umax.i64(i64 %v9, i64 %whole)
  br label %main
main:
  %main.i = phi i64 [ 0, %long ], [ %main.i.next, %main ]
  %v10 = and i64 %main.i, %moves0
  %v11 = getelementptr float, ptr %p0.2, i64 %v10
  %v12 = load <2 x float>, ptr %v11, align 4
  %v13 = getelementptr float, ptr %v11, i64 2
  %v14 = load <2 x float>, ptr %v13, align 4
  %v15 = getelementptr float, ptr %v11, i64 4
  %v16 = load <2 x float>, ptr %v15, align 4
  %v17 = getelementptr float, ptr %v11, i64 6
  %v18 = load <2 x float>, ptr %v17, align 4
  %v19 = getelementptr float, ptr %v11, i64 8
  %v20 = load <2 x float>, ptr %v19, align 4
  %v21 = getelementptr float, ptr %v11, i64 10
  %v22 = load <2 x float>, ptr %v21, align 4
  %v23 = and i64 %main.i, %moves1
  %v24 = getelementptr double, ptr %p1.2, i64 %v23
  %v25 = load <2 x double>, ptr %v24, align 8
  %v26 = getelementptr double, ptr %v24, i64 2
  %v27 = load <2 x double>, ptr %v26, align 8
  %v28 = getelementptr double, ptr %v24, i64 4
  %v29 = load <2 x double>, ptr %v28, align 8
  %v30 = getelementptr double, ptr %v24, i64 6
  %v31 = load <2 x double>, ptr %v30, align 8
  %v32 = getelementptr double, ptr %v24, i64 8
  %v33 = load <2 x double>, ptr %v32, align 8
  %v34 = getelementptr double, ptr %v24, i64 10
  %v35 = load <2 x double>, ptr %v34, align 8
  %v36 = fpext <2 x float> %v12 to <2 x double>
  %v37 = fpext <2 x float> %v14 to <2 x double>
  %v38 = fpext <2 x float> %v16 to <2 x double>
  %v39 = fpext <2 x float> %v18 to <2 x double>
  %v40 = fpext <2 x float> %v20 to <2 x double>
  %v41 = fpext <2 x float> %v22 to <2 x double>
  %v42 = fcmp olt <2 x double> %v36, %v25
  %v43 = select <2 x i1> %v42, <2 x double> %v25, <2 x double> %v36
  %v44 = fcmp olt <2 x double> %v37, %v27
  %v45 = select <2 x i1> %v44, <2 x double> %v27, <2 x double> %v37
  %v46 = fcmp olt <2 x double> %v38, %v29
  %v47 = select <2 x i1> %v46, <2 x double> %v29, <2 x double> %v38
  %v48 = fcmp olt <2 x double> %v39, %v31
  %v49 = select <2 x i1> %v48, <2 x double> %v31, <2 x double> %v39
  %v50 = fcmp olt <2 x double> %v40, %v33
  %v51 = select <2 x i1> %v50, <2 x double> %v33, <2 x double> %v40
  %v52 = fcmp olt <2 x double> %v41, %v35
  %v53 = select <2 x i1> %v52, <2 x double> %v35, <2 x double> %v41
  %v54 = fptrunc <2 x double> %v43 to <2 x float>
  %v55 = fptrunc <2 x double> %v45 to <2 x float>
  %v56 = fptrunc <2 x double> %v47 to <2 x float>
  %v57 = fptrunc <2 x double> %v49 to <2 x float>
  %v58 = fptrunc <2 x double> %v51 to <2 x float>
  %v59 = fptrunc <2 x double> %v53 to <2 x float>
  %v60 = getelementptr float, ptr %p2.2, i64 %main.i
  store <2 x float> %v54, ptr %v60, align 4
  %v61 = getelementptr float, ptr %v60, i64 2
  store <2 x float> %v55, ptr %v61, align 4
  %v62 = getelementptr float, ptr %v60, i64 4
  store <2 x float> %v56, ptr %v62, align 4
  %v63 = getelementptr float, ptr %v60, i64 6
  store <2 x float> %v57, ptr %v63, align 4
  %v64 = getelementptr float, ptr %v60, i64 8
  store <2 x float> %v58, ptr %v64, align 4
  %v65 = getelementptr float, ptr %v60, i64 10
  store <2 x float> %v59, ptr %v65, align 4
  %v66 = getelementptr double, ptr %p3.2, i64 %main.i
  store <2 x double> %v43, ptr %v66, align 8
  %v67 = getelementptr double, ptr %v66, i64 2
  store <2 x double> %v45, ptr %v67, align 8
  %v68 = getelementptr double, ptr %v66, i64 4
  store <2 x double> %v47, ptr %v68, align 8
  %v69 = getelementptr double, ptr %v66, i64 6
  store <2 x double> %v49, ptr %v69, align 8
  %v70 = getelementptr double, ptr %v66, i64 8
  store <2 x double> %v51, ptr %v70, align 8
  %v71 = getelementptr double, ptr %v66, i64 10
  store <2 x double> %v53, ptr %v71, align 8
  %main.i.next = add i64 %main.i, 12
  %v72 = icmp sgt i64 %main.i.next, %main.last
  br i1 %v72, label %vector.entry, label %main, !llvm.loop !2
vector.entry:
  %vector.from = phi i64 [ 0, %inner ], [ %main.i.next, %main ]
  %v73 = icmp sgt i64 %vector.from, %vector.last
  br i1 %v73, label %tail.entry, label %vector
vector:
  %vector.i = phi i64 [ %vector.from, %vector.entry ], [ %vector.i.next, %vector ]
  %v74 = and i64 %vector.i, %moves0
  %v75 = getelementptr float, ptr %p0.2, i64 %v74
  %v76 = load <2 x float>, ptr %v75, align 4
  %v77 = and i64 %vector.i, %moves1
  %v78 = getelementptr double, ptr %p1.2, i64 %v77
  %v79 = load <2 x double>, ptr %v78, align 8
  %v80 = fpext <2 x float> %v76 to <2 x double>
  %v81 = fcmp olt <2 x double> %v80, %v79
  %v82 = select <2 x i1> %v81, <2 x double> %v79, <2 x double> %v80
  %v83 = fptrunc <2 x double> %v82 to <2 x float>
  %v84 = getelementptr float, ptr %p2.2, i64 %vector.i
  store <2 x float> %v83, ptr %v84, align 4
  %v85 = getelementptr double, ptr %p3.2, i64 %vector.i
  store <2 x double> %v82, ptr %v85, align 8
  %vector.i.next = add i64 %vector.i, 2
  %v86 = icmp sgt i64 %vector.i.next, %vector.last
  br i1 %v86, label %tail.entry, label %vector, !llvm.loop !3
tail.entry:
  %tail.from = phi i64 [ %vector.from, %vector.entry ], [ %vector.i.next, %vector ]
  %tail.left = sub i64 %n, %tail.from
  %v87 = icmp eq i64 %tail.left, 0
  br i1 %v87, label %next1, label %tail
tail:
  %v88 = trunc i64 %tail.left to i32
  %v89 = insertelement <2 x i32> poison, i32 %v88, i64 0
  %v90 = shufflevector <2 x i32> %v89, <2 x i32> poison, <2 x i32> zeroinitializer
  %v91 = icmp ult <2 x i32> <i32 0, i32 1>, %v90
  %v92 = and i64 %tail.from, %moves0
  %v93 = getelementptr float, ptr %p0.2, i64 %v92
  %v94 = call <2 x float> @llvm.masked.load.v2f32.p0(ptr %v93, i32 4, <2 x i1> %v91, <2 x float> zeroinitializer)
  %v95 = and i64 %tail.from, %moves1
  %v96 = getelementptr double, ptr %p1.2, i64 %v95
  %v97 = call <2 x double> @llvm.masked.load.v2f64.p0(ptr %v96, i32 8, <2 x i1> %v91, <2 x double> zeroinitializer)
  %v98 = fpext <2 x float> %v94 to <2 x double>
  %v99 = fcmp olt <2 x double> %v98, %v97
  %v100 = select <2 x i1> %v99, <2 x double> %v97, <2 x double> %v98
  %v101 = fptrunc <2 x double> %v100 to <2 x float>
  %v102 = getelementptr float, ptr %p2.2, i64 %tail.from
  call void @llvm.masked.store.v2f32.p0(<2 x float> %v101, ptr %v102, i32 4, <2 x i1> %v91)
  %v103 = getelementptr double, ptr %p3.2, i64 %tail.from
  call void @llvm.masked.store.v2f64.p0(<2 x double> %v100, ptr %v103, i32 8, <2 x i1> %v91)
  br label %next1
next1:
  %i1.next = add i64 %i1, 1
  %p0.2.next = getelementptr i8, ptr %p0.2, i64 %s0.1
  %p1.2.next = getelementptr i8, ptr %p1.2, i64 %s1.1
  %p2.2.next = getelementptr i8, ptr %p2.2, i64 %s2.1
  %p3.2.next = getelementptr i8, ptr %p3.2, i64 %s3.1
  %v104 = icmp eq i64 %i1.next, %n1
  br i1 %v104, label %next0, label %loop1, !llvm.loop !4
next0:
  %i0.next = add i64 %i0, 1
  %p0.1.next = getelementptr i8, ptr %p0.1, i64 %s0.0
  %p1.1.next = getelementptr i8, ptr %p1.1, i64 %s1.0
  %p2.1.next = getelementptr i8, ptr %p2.1, i64 %s2.0
  %p3.1.next = getelementptr i8, ptr %p3.1, i64 %s3.0
  %v105 = icmp eq i64 %i0.next, %n0
  br i1 %v105, label %exit, label %loop0, !llvm.loop !5
exit:
  ret i32 0
}

define internal i32 @strided(ptr %args) noinline #0 {
entry:
  %buffer0 = alloca [64 x float], align 64
  %buffer1 = alloca [64 x double], align 64
  %buffer2 = alloca [64 x float], align 64
  %buffer3 = alloca [64 x double], align 64
  %chunk.args = alloca [4 x ptr], align 8
  %chunk.whole = getelementptr i64, ptr %chunk.args, i64 3
  store i64 0, ptr %chunk.whole, align 8
  %chunk.data = alloca [4 x ptr], align 8
  %v0 = getelementptr ptr, ptr %chunk.args, i64 0
  store ptr %chunk.data, ptr %v0, align 8
  %chunk.counts = alloca [3 x i64], align 8
  %v1 = getelementptr ptr, ptr %chunk.args, i64 1
  store ptr %chunk.counts, ptr %v1, align 8
  %chunk.strides = alloca [12 x i64], align 8
  %v2 = getelementptr ptr, ptr %chunk.args, i64 2
  store ptr %chunk.strides, ptr %v2, align 8
  %data.at = getelementptr ptr, ptr %args, i64 0
  %data = load ptr, ptr %data.at, align 8
  %counts.at = getelementptr ptr, ptr %args, i64 1
  %counts = load ptr, ptr %counts.at, align 8
  %strides.at = getelementptr ptr, ptr %args, i64 2
  %strides = load ptr, ptr %strides.at, align 8
  %n0.at = getelementptr i64, ptr %counts, i64 0
  %n0 = load i64, ptr %n0.at, align 8
  %v3 = icmp sle i64 %n0, 0
  %n1.at = getelementptr i64, ptr %counts, i64 1
  %n1 = load i64, ptr %n1.at, align 8
  %v4 = icmp sle i64 %n1, 0
  %n.at = getelementptr i64, ptr %counts, i64 2
  %n = load i64, ptr %n.at, align 8
  %v5 = icmp sle i64 %n, 0
  %p0.at = getelementptr ptr, ptr %data, i64 0
  %p0.0 = load ptr, ptr %p0.at, align 8
  %s0.0.at = getelementptr i64, ptr %strides, i64 0
  %s0.0 = load i64, ptr %s0.0.at, align 8
  %s0.1.at = getelementptr i64, ptr %strides, i64 1
  %s0.1 = load i64, ptr %s0.1.at, align 8
  %s0.2.at = getelementptr i64, ptr %strides, i64 2
  %s0.2 = load i64, ptr %s0.2.at, align 8
  %p1.at = getelementptr ptr, ptr %data, i64 1
  %p1.0 = load ptr, ptr %p1.at, align 8
  %s1.0.at = getelementptr i64, ptr %strides, i64 3
  %s1.0 = load i64, ptr %s1.0.at, align 8
  %s1.1.at = getelementptr i64, ptr %strides, i64 4
  %s1.1 = load i64, ptr %s1.1.at, align 8
  %s1.2.at = getelementptr i64, ptr %strides, i64 5
  %s1.2 = load i64, ptr %s1.2.at, align 8
  %p2.at = getelementptr ptr, ptr %data, i64 2
  %p2.0 = load ptr, ptr %p2.at, align 8
  %s2.0.at = getelementptr i64, ptr %strides, i64 6
  %s2.0 = load i64, ptr %s2.0.at, align 8
  %s2.1.at = getelementptr i64, ptr %strides, i64 7
  %s2.1 = load i64, ptr %s2.1.at, align 8
  %s2.2.at = getelementptr i64, ptr %strides, i64 8
  %s2.2 = load i64, ptr %s2.2.at, align 8
  %p3.at = getelementptr ptr, ptr %data, i64 3
  %p3.0 = load ptr, ptr %p3.at, align 8
  %s3.0.at = getelementptr i64, ptr %strides, i64 9
  %s3.0 = load i64, ptr %s3.0.at, align 8
  %s3.1.at = getelementptr i64, ptr %strides, i64 10
  %s3.1 = load i64, ptr %s3.1.at, align 8
  %s3.2.at = getelementptr i64, ptr %strides, i64 11
  %s3.2 = load i64, ptr %s3.2.at, align 8
  %v6 = or i1 %v3, %v4
  %v7 = or i1 %v6, %v5
  %v8 = getelementptr i64, ptr %chunk.counts, i64 0
  store i64 1, ptr %v8, align 8
  %v9 = getelementptr i64, ptr %chunk.counts, i64 1
  store i64 1, ptr %v9, align 8
  %v10 = getelementptr i64, ptr %chunk.strides, i64 0
  store i64 0, ptr %v10, align 8
  %v11 = getelementptr i64, ptr %chunk.strides, i64 1
  store i64 0, ptr %v11, align 8
  %unit0 = icmp eq i64 %s0.2, 4
  %fixed0 = icmp eq i64 %s0.2, 0
  %plain0 = or i1 %unit0, %fixed0
  %v12 = select i1 %fixed0, i64 0, i64 4
  %v13 = getelementptr i64, ptr %chunk.strides, i64 2
  store i64 %v12, ptr %v13, align 8
  %v14 = getelementptr i64, ptr %chunk.strides, i64 3
  store i64 0, ptr %v14, align 8
  %v15 = getelementptr i64, ptr %chunk.strides, i64 4
  store i64 0, ptr %v15, align 8
  %unit1 = icmp eq i64 %s1.2, 8
  %fixed1 = icmp eq i64 %s1.2, 0
  %plain1 = or i1 %unit1, %fixed1
  %v16 = select i1 %fixed1, i64 0, i64 8
  %v17 = getelementptr i64, ptr %chunk.strides, i64 5
  store i64 %v16, ptr %v17, align 8
  %v18 = getelementptr i64, ptr %chunk.strides, i64 6
  store i64 0, ptr %v18, align 8
  %v19 = getelementptr i64, ptr %chunk.strides, i64 7
  store i64 0, ptr %v19, align 8
  %unit2 = icmp eq i64 %s2.2, 4
  %fixed2 = icmp eq i64 %s2.2, 0
  %plain2 = or i1 %unit2, false
  %v20 = select i1 %fixed2, i64 0, i64 4
  %v21 = getelementptr i64, ptr %chunk.strides, i64 8
  store i64 4, ptr %v21, align 8
  %v22 = getelementptr i64, ptr %chunk.strides, i64 9
  store i64 0, ptr %v22, align 8
  %v23 = getelementptr i64, ptr %chunk.strides, i64 10
  store i64 0, ptr %v23, align 8
  %unit3 = icmp eq i64 %s3.2, 8
  %fixed3 = icmp eq i64 %s3.2, 0
  %plain3 = or i1 %unit3, false
  %v24 = select i1 %fixed3, i64 0, i64 8
  %v25 = getelementptr i64, ptr %chunk.strides, i64 11
  store i64 8, ptr %v25, align 8
  %v26 = and i1 %plain0, %plain1
  %v27 = and i1 %v26, %plain2
  %v28 = and i1 %v27, %plain3
  %chunk.limit = select i1 %v28, i64 %n, i64 64
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
  br i1 %fixed0, label %fill0, label %filled0
fill0:
  %v29 = load float, ptr %p0.2, align 4
  %v30 = insertelement <2 x float> poison, float %v29, i64 0
  %v31 = shufflevector <2 x float> %v30, <2 x float> poison, <2 x i32> zeroinitializer
  store <2 x float> %v31, ptr %buffer0, align 4
  %v32 = getelementptr float, ptr %buffer0, i64 2
  store <2 x float> %v31, ptr %v32, align 4
  %v33 = getelementptr float, ptr %buffer0, i64 4
  store <2 x float> %v31, ptr %v33, align 4
  %v34 = getelementptr float, ptr %buffer0, i64 6
  store <2 x float> %v31, ptr %v34, align 4
  %v35 = getelementptr float, ptr %buffer0, i64 8
  store <2 x float> %v31, ptr %v35, align 4
  %v36 = getelementptr float, ptr %buffer0, i64 10
  store <2 x float> %v31, ptr %v36, align 4
  br label %filled0
filled0:
  br i1 %fixed1, label %fill1, label %filled1
fill1:
  %v37 = load double, ptr %p1.2, align 8
  %v38 = insertelement <2 x double> poison, double %v37, i64 0
  %v39 = shufflevector <2 x double> %v38, <2 x double> poison, <2 x i32> zeroinitializer
  store <2 x double> %v39, ptr %buffer1, align 8
  %v40 = getelementptr double, ptr %buffer1, i64 2
  store <2 x double> %v39, ptr %v40, align 8
  %v41 = getelementptr double, ptr %buffer1, i64 4
  store <2 x double> %v39, ptr %v41, align 8
  %v42 = getelementptr double, ptr %buffer1, i64 6
  store <2 x double> %v39, ptr %v42, align 8
  %v43 = getelementptr double, ptr %buffer1, i64 8
  store <2 x double> %v39, ptr %v43, align 8
  %v44 = getelementptr double, ptr %buffer1, i64 10
  store <2 x double> %v39, ptr %v44, align 8
  br label %filled1
filled1:
  br label %chunk
chunk:
  %chunk.left = phi i64 [ %n, %filled1 ], [ %chunk.left.next, %chunk.next ]
  %q0 = phi ptr [ %p0.2, %filled1 ], [ %q0.next, %chunk.next ]
  %q1 = phi ptr [ %p1.2, %filled1 ], [ %q1.next, %chunk.next ]
  %q2 = phi ptr [ %p2.2, %filled1 ], [ %q2.next, %chunk.next ]
  %q3 = phi ptr [ %p3.2, %filled1 ], [ %q3.next, %chunk.next ]
  %chunk.n = call i64 @llvm.umin.i64(i64 %chunk.left, i64 %chunk.limit)
  %v45 = getelementptr i64, ptr %chunk.counts, i64 2
  store i64 %chunk.n, ptr %v45, align 8
  %v46 = select i1 %unit0, ptr %q0, ptr %buffer0
  %v47 = getelementptr i64, ptr %chunk.data, i64 0
  store ptr %v46, ptr %v47, align 8
  br i1 %plain0, label %packed0, label %pack0
pack0:
  %v48 = mul i64 %s0.2, 4
  call void @pack32(ptr %buffer0, ptr %q0, i64 %s0.2, i64 %chunk.n, i64 %v48)
  br label %packed0
packed0:
  %v49 = select i1 %unit1, ptr %q1, ptr %buffer1
  %v50 = getelementptr i64, ptr %chunk.data, i64 1
  store ptr %v49, ptr %v50, align 8
  br i1 %plain1, label %packed1, label %pack1
pack1:
  %v51 = mul i64 %s1.2, 2
  call void @pack64(ptr %buffer1, ptr %q1, i64 %s1.2, i64 %chunk.n, i64 %v51)
  br label %packed1
packed1:
  %v52 = select i1 %unit2, ptr %q2, ptr %buffer2
  %v53 = getelementptr i64, ptr %chunk.data, i64 2
  store ptr %v52, ptr %v53, align 8
  %v54 = select i1 %unit3, ptr %q3, ptr %buffer3
  %v55 = getelementptr i64, ptr %chunk.data, i64 3
  store ptr %v54, ptr %v55, align 8
  call i32 @contiguous(ptr %chunk.args)
  br i1 %plain2, label %unpacked2, label %unpack2
unpack2:
  %v56 = mul i64 %s2.2, 4
  call void @unpack32(ptr %buffer2, ptr %q2, i64 %s2.2, i64 %chunk.n, i64 %v56)
  br label %unpacked2
unpacked2:
  br i1 %plain3, label %unpacked3, label %unpack3
unpack3:
  %v57 = mul i64 %s3.2, 2
  call void @unpack64(ptr %buffer3, ptr %q3, i64 %s3.2, i64 %chunk.n, i64 %v57)
  br label %unpacked3
unpacked3:
  br label %chunk.next
chunk.next:
  %chunk.left.next = sub i64 %chunk.left, %chunk.n
  %v58 = mul i64 %chunk.n, %s0.2
  %q0.next = getelementptr i8, ptr %q0, i64 %v58
  %v59 = mul i64 %chunk.n, %s1.2
  %q1.next = getelementptr i8, ptr %q1, i64 %v59
  %v60 = mul i64 %chunk.n, %s2.2
  %q2.next = getelementptr i8, ptr %q2, i64 %v60
  %v61 = mul i64 %chunk.n, %s3.2
  %q3.next = getelementptr i8, ptr %q3, i64 %v61
  %v62 = icmp eq i64 %chunk.left.next, 0
  br i1 %v62, label %next1, label %chunk, !llvm.loop !6
next1:
  %i1.next = add i64 %i1, 1
  %p0.2.next = getelementptr i8, ptr %p0.2, i64 %s0.1
  %p1.2.next = getelementptr i8, ptr %p1.2, i64 %s1.1
  %p2.2.next = getelementptr i8, ptr %p2.2, i64 %s2.1
  %p3.2.next = getelementptr i8, ptr %p3.2, i64 %s3.1
  %v63 = icmp eq i64 %i1.next, %n1
  br i1 %v63, label %next0, label %loop1, !llvm.loop !7
next0:
  %i0.next = add i64 %i0, 1
  %p0.1.next = getelementptr i8, ptr %p0.1, i64 %s0.0
  %p1.1.next = getelementptr i8, ptr %p1.1, i64 %s1.0
  %p2.1.next = getelementptr i8, ptr %p2.1, i64 %s2.0
  %p3.1.next = getelementptr i8, ptr %p3.1, i64 %s3.0
  %v64 = icmp eq i64 %i0.next, %n0
  br i1 %v64, label %exit, label %loop0, !llvm.loop !8
exit:
  ret i32 0
}

define internal void @pack32(ptr %buffer, ptr %strided, i64 %stride, i64 %n, i64 %quad) noinline #0 {
entry:
  %whole.last = sub i64 %n, 4
  %step = mul i64 %stride, 4
  %v0 = icmp slt i64 %whole.last, 0
  br i1 %v0, label %quad.entry, label %some
some:
  switch i64 %stride, label %quad.entry [ i64 -4, label %by0 i64 8, label %by1 i64 12, label %by2 i64 16, label %by3 ]
by0:
  %by0.i = phi i64 [ 0, %some ], [ %by0.i.next, %by0 ]
  %by0.at = phi ptr [ %strided, %some ], [ %by0.at.next, %by0 ]
  %v1 = getelementptr float, ptr %buffer, i64 %by0.i
  %v2 = getelementptr float, ptr %by0.at, i64 -3
  %v3 = load <4 x float>, ptr %v2, align 4
  %v4 = shufflevector <4 x float> %v3, <4 x float> poison, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
  store <4 x float> %v4, ptr %v1, align 4
  %by0.at.next = getelementptr i8, ptr %by0.at, i64 %step
  %by0.i.next = add i64 %by0.i, 4
  %v5 = icmp sgt i64 %by0.i.next, %whole.last
  br i1 %v5, label %quad.entry, label %by0, !llvm.loop !9
by1:
  %by1.i = phi i64 [ 0, %some ], [ %by1.i.next, %by1 ]
  %by1.at = phi ptr [ %strided, %some ], [ %by1.at.next, %by1 ]
  %v6 = getelementptr float, ptr %buffer, i64 %by1.i
  %v7 = load <4 x float>, ptr %by1.at, align 4
  %v8 = shufflevector <4 x float> %v7, <4 x float> poison, <4 x i32> <i32 0, i32 2, i32 poison, i32 poison>
  %v9 = getelementptr float, ptr %by1.at, i64 3
  %v10 = load <4 x float>, ptr %v9, align 4
  %v11 = shufflevector <4 x float> %v8, <4 x float> %v10, <4 x i32> <i32 0, i32 1, i32 5, i32 7>
  store <4 x float> %v11, ptr %v6, align 4
  %by1.at.next = getelementptr i8, ptr %by1.at, i64 %step
  %by1.i.next = add i64 %by1.i, 4
  %v12 = icmp sgt i64 %by1.i.next, %whole.last
  br i1 %v12, label %quad.entry, label %by1, !llvm.loop !10
by2:
  %by2.i = phi i64 [ 0, %some ], [ %by2.i.next, %by2 ]
  %by2.at = phi ptr [ %strided, %some ], [ %by2.at.next, %by2 ]
  %v13 = getelementptr float, ptr %buffer, i64 %by2.i
  %v14 = load <4 x float>, ptr %by2.at, align 4
  %v15 = shufflevector <4 x float> %v14, <4 x float> poison, <4 x i32> <i32 0, i32 3, i32 poison, i32 poison>
  %v16 = getelementptr float, ptr %by2.at, i64 4
  %v17 = load <4 x float>, ptr %v16, align 4
  %v18 = shufflevector <4 x float> %v15, <4 x float> %v17, <4 x i32> <i32 0, i32 1, i32 6, i32 poison>
  %v19 = getelementptr float, ptr %by2.at, i64 6
  %v20 = load <4 x float>, ptr %v19, align 4
  %v21 = shufflevector <4 x float> %v18, <4 x float> %v20, <4 x i32> <i32 0, i32 1, i32 2, i32 7>
  store <4 x float> %v21, ptr %v13, align 4
  %by2.at.next = getelementptr i8, ptr %by2.at, i64 %step
  %by2.i.next = add i64 %by2.i, 4
  %v22 = icmp sgt i64 %by2.i.next, %whole.last
  br i1 %v22, label %quad.entry, label %by2, !llvm.loop !11
by3:
  %by3.i = phi i64 [ 0, %some ], [ %by3.i.next, %by3 ]
  %by3.at = phi ptr [ %strided, %some ], [ %by3.at.next, %by3 ]
  %v23 = getelementptr float, ptr %buffer, i64 %by3.i
  %v24 = load <4 x float>, ptr %by3.at, align 4
  %v25 = shufflevector <4 x float> %v24, <4 x float> poison, <4 x i32> <i32 0, i32 poison, i32 poison, i32 poison>
  %v26 = getelementptr float, ptr %by3.at, i64 4
  %v27 = load <4 x float>, ptr %v26, align 4
  %v28 = shufflevector <4 x float> %v25, <4 x float> %v27, <4 x i32> <i32 0, i32 4, i32 poison, i32 poison>
  %v29 = getelementptr float, ptr %by3.at, i64 8
  %v30 = load <4 x float>, ptr %v29, align 4
  %v31 = shufflevector <4 x float> %v28, <4 x float> %v30, <4 x i32> <i32 0, i32 1, i32 4, i32 poison>
  %v32 = getelementptr float, ptr %by3.at, i64 9
  %v33 = load <4 x float>, ptr %v32, align 4
  %v34 = shufflevector <4 x float> %v31, <4 x float> %v33, <4 x i32> <i32 0, i32 1, i32 2, i32 7>
  store <4 x float> %v34, ptr %v23, align 4
  %by3.at.next = getelementptr i8, ptr %by3.at, i64 %step
  %by3.i.next = add i64 %by3.i, 4
  %v35 = icmp sgt i64 %by3.i.next, %whole.last
  br i1 %v35, label %quad.entry, label %by3, !llvm.loop !12
quad.entry:
  %quad.from.i = phi i64 [ 0, %entry ], [ 0, %some ], [ %by0.i.next, %by0 ], [ %by1.i.next, %by1 ], [ %by2.i.next, %by2 ], [ %by3.i.next, %by3 ]
  %quad.from.at = phi ptr [ %strided, %entry ], [ %strided, %some ], [ %by0.at.next, %by0 ], [ %by1.at.next, %by1 ], [ %by2.at.next, %by2 ], [ %by3.at.next, %by3 ]
  %quad.n = and i64 %n, -4
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
  br i1 %v49, label %rest.entry, label %quad.loop, !llvm.loop !13
rest.entry:
  %rest.from.i = phi i64 [ %quad.from.i, %quad.entry ], [ %quad.loop.i.next, %quad.loop ]
  %rest.from.at = phi ptr [ %quad.from.at, %quad.entry ], [ %quad.loop.at.next, %quad.loop ]
  %rest.last = sub i64 %n, 1
  %v50 = icmp eq i64 %rest.from.i, %n
  br i1 %v50, label %done, label %rest
rest:
  %rest.i = phi i64 [ %rest.from.i, %rest.entry ], [ %rest.i.next, %rest ]
  %rest.at = phi ptr [ %rest.from.at, %rest.entry ], [ %rest.at.next, %rest ]
  %filled = phi <4 x float> [ zeroinitializer, %rest.entry ], [ %filled.next, %rest ]
  %v51 = sub i64 %rest.i, %rest.from.i
  %v52 = trunc i64 %v51 to i32
  %v53 = insertelement <4 x i32> poison, i32 %v52, i64 0
  %v54 = shufflevector <4 x i32> %v53, <4 x i32> poison, <4 x i32> zeroinitializer
  %v55 = icmp eq <4 x i32> <i32 0, i32 1, i32 2, i32 3>, %v54
  %v56 = load float, ptr %rest.at, align 4
  %v57 = insertelement <4 x float> poison, float %v56, i64 0
  %v58 = shufflevector <4 x float> %v57, <4 x float> poison, <4 x i32> zeroinitializer
  %filled.next = select <4 x i1> %v55, <4 x float> %v58, <4 x float> %filled
  %rest.at.next = getelementptr i8, ptr %rest.at, i64 %stride
  %rest.i.next = add i64 %rest.i, 1
  %v59 = icmp sgt i64 %rest.i.next, %rest.last
  br i1 %v59, label %store, label %rest, !llvm.loop !14
store:
  %v60 = getelementptr float, ptr %buffer, i64 %rest.from.i
  store <4 x float> %filled.next, ptr %v60, align 4
  br label %done
done:
  ret void
}

define internal void @unpack32(ptr %buffer, ptr %strided, i64 %stride, i64 %n, i64 %quad) noinline #0 {
entry:
  %whole.last = sub i64 %n, 4
  %step = mul i64 %stride, 4
  %v0 = icmp slt i64 %whole.last, 0
  br i1 %v0, label %quad.entry, label %some
some:
  switch i64 %stride, label %quad.entry [ i64 -4, label %by0 ]
by0:
  %by0.i = phi i64 [ 0, %some ], [ %by0.i.next, %by0 ]
  %by0.at = phi ptr [ %strided, %some ], [ %by0.at.next, %by0 ]
  %v1 = getelementptr float, ptr %buffer, i64 %by0.i
  %v2 = load <4 x float>, ptr %v1, align 4
  %v3 = getelementptr float, ptr %by0.at, i64 -3
  %v4 = shufflevector <4 x float> %v2, <4 x float> poison, <4 x i32> <i32 3, i32 2, i32 1, i32 0>
  store <4 x float> %v4, ptr %v3, align 4
  %by0.at.next = getelementptr i8, ptr %by0.at, i64 %step
  %by0.i.next = add i64 %by0.i, 4
  %v5 = icmp sgt i64 %by0.i.next, %whole.last
  br i1 %v5, label %quad.entry, label %by0, !llvm.loop !15
quad.entry:
  %quad.from.i = phi i64 [ 0, %entry ], [ 0, %some ], [ %by0.i.next, %by0 ]
  %quad.from.at = phi ptr [ %strided, %entry ], [ %strided, %some ], [ %by0.at.next, %by0 ]
  %quad.n = and i64 %n, -4
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
  br i1 %v16, label %rest.entry, label %quad.loop, !llvm.loop !16
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
  br i1 %v21, label %done, label %rest, !llvm.loop !17
done:
  ret void
}

define internal void @pack64(ptr %buffer, ptr %strided, i64 %stride, i64 %n, i64 %quad) noinline #0 {
entry:
  %whole.last = sub i64 %n, 2
  %step = mul i64 %stride, 2
  %v0 = icmp slt i64 %whole.last, 0
  br i1 %v0, label %quad.entry, label %some
some:
  switch i64 %stride, label %quad.entry [ i64 -8, label %by0 i64 16, label %by1 i64 24, label %by2 i64 32, label %by3 ]
by0:
  %by0.i = phi i64 [ 0, %some ], [ %by0.i.next, %by0 ]
  %by0.at = phi ptr [ %strided, %some ], [ %by0.at.next, %by0 ]
  %v1 = getelementptr double, ptr %buffer, i64 %by0.i
  %v2 = getelementptr double, ptr %by0.at, i64 -1
  %v3 = load <2 x double>, ptr %v2, align 8
  %v4 = shufflevector <2 x double> %v3, <2 x double> poison, <2 x i32> <i32 1, i32 0>
  store <2 x double> %v4, ptr %v1, align 8
  %by0.at.next = getelementptr i8, ptr %by0.at, i64 %step
  %by0.i.next = add i64 %by0.i, 2
  %v5 = icmp sgt i64 %by0.i.next, %whole.last
  br i1 %v5, label %quad.entry, label %by0, !llvm.loop !18
by1:
  %by1.i = phi i64 [ 0, %some ], [ %by1.i.next, %by1 ]
  %by1.at = phi ptr [ %strided, %some ], [ %by1.at.next, %by1 ]
  %v6 = getelementptr double, ptr %buffer, i64 %by1.i
  %v7 = load <2 x double>, ptr %by1.at, align 8
  %v8 = shufflevector <2 x double> %v7, <2 x double> poison, <2 x i32> <i32 0, i32 poison>
  %v9 = getelementptr double, ptr %by1.at, i64 1
  %v10 = load <2 x double>, ptr %v9, align 8
  %v11 = shufflevector <2 x double> %v8, <2 x double> %v10, <2 x i32> <i32 0, i32 3>
  store <2 x double> %v11, ptr %v6, align 8
  %by1.at.next = getelementptr i8, ptr %by1.at, i64 %step
  %by1.i.next = add i64 %by1.i, 2
  %v12 = icmp sgt i64 %by1.i.next, %whole.last
  br i1 %v12, label %quad.entry, label %by1, !llvm.loop !19
by2:
  %by2.i = phi i64 [ 0, %some ], [ %by2.i.next, %by2 ]
  %by2.at = phi ptr [ %strided, %some ], [ %by2.at.next, %by2 ]
  %v13 = getelementptr double, ptr %buffer, i64 %by2.i
  %v14 = load <2 x double>, ptr %by2.at, align 8
  %v15 = shufflevector <2 x double> %v14, <2 x double> poison, <2 x i32> <i32 0, i32 poison>
  %v16 = getelementptr double, ptr %by2.at, i64 2
  %v17 = load <2 x double>, ptr %v16, align 8
  %v18 = shufflevector <2 x double> %v15, <2 x double> %v17, <2 x i32> <i32 0, i32 3>
  %v19 = getelementptr double, ptr %by2.at, i64 2
  %v20 = load <2 x double>, ptr %v19, align 8
  %v21 = shufflevector <2 x double> %v18, <2 x double> %v20, <2 x i32> <i32 0, i32 1>
  store <2 x double> %v21, ptr %v13, align 8
  %by2.at.next = getelementptr i8, ptr %by2.at, i64 %step
  %by2.i.next = add i64 %by2.i, 2
  %v22 = icmp sgt i64 %by2.i.next, %whole.last
  br i1 %v22, label %quad.entry, label %by2, !llvm.loop !20
by3:
  %by3.i = phi i64 [ 0, %some ], [ %by3.i.next, %by3 ]
  %by3.at = phi ptr [ %strided, %some ], [ %by3.at.next, %by3 ]
  %v23 = getelementptr double, ptr %buffer, i64 %by3.i
  %v24 = load <2 x double>, ptr %by3.at, align 8
  %v25 = shufflevector <2 x double> %v24, <2 x double> poison, <2 x i32> <i32 0, i32 poison>
  %v26 = getelementptr double, ptr %by3.at, i64 2
  %v27 = load <2 x double>, ptr %v26, align 8
  %v28 = shufflevector <2 x double> %v25, <2 x double> %v27, <2 x i32> <i32 0, i32 poison>
  %v29 = getelementptr double, ptr %by3.at, i64 3
  %v30 = load <2 x double>, ptr %v29, align 8
  %v31 = shufflevector <2 x double> %v28, <2 x double> %v30, <2 x i32> <i32 0, i32 3>
  %v32 = getelementptr double, ptr %by3.at, i64 3
  %v33 = load <2 x double>, ptr %v32, align 8
  %v34 = shufflevector <2 x double> %v31, <2 x double> %v33, <2 x i32> <i32 0, i32 1>
  store <2 x double> %v34, ptr %v23, align 8
  %by3.at.next = getelementptr i8, ptr %by3.at, i64 %step
  %by3.i.next = add i64 %by3.i, 2
  %v35 = icmp sgt i64 %by3.i.next, %whole.last
  br i1 %v35, label %quad.entry, label %by3, !llvm.loop !21
quad.entry:
  %quad.from.i = phi i64 [ 0, %entry ], [ 0, %some ], [ %by0.i.next, %by0 ], [ %by1.i.next, %by1 ], [ %by2.i.next, %by2 ], [ %by3.i.next, %by3 ]
  %quad.from.at = phi ptr [ %strided, %entry ], [ %strided, %some ], [ %by0.at.next, %by0 ], [ %by1.at.next, %by1 ], [ %by2.at.next, %by2 ], [ %by3.at.next, %by3 ]
  %quad.n = and i64 %n, -2
  %quad.last = sub i64 %quad.n, 2
  %v36 = icmp sgt i64 %quad.from.i, %quad.last
  br i1 %v36, label %rest.entry, label %quad.loop
quad.loop:
  %quad.loop.i = phi i64 [ %quad.from.i, %quad.entry ], [ %quad.loop.i.next, %quad.loop ]
  %quad.loop.at = phi ptr [ %quad.from.at, %quad.entry ], [ %quad.loop.at.next, %quad.loop ]
  %v37 = getelementptr double, ptr %buffer, i64 %quad.loop.i
  %v38 = load double, ptr %quad.loop.at, align 8
  %v39 = insertelement <2 x double> poison, double %v38, i64 0
  %v40 = getelementptr i8, ptr %quad.loop.at, i64 %stride
  %v41 = load double, ptr %v40, align 8
  %v42 = insertelement <2 x double> %v39, double %v41, i64 1
  store <2 x double> %v42, ptr %v37, align 8
  %quad.loop.at.next = getelementptr i8, ptr %quad.loop.at, i64 %quad
  %quad.loop.i.next = add i64 %quad.loop.i, 2
  %v43 = icmp sgt i64 %quad.loop.i.next, %quad.last
  br i1 %v43, label %rest.entry, label %quad.loop, !llvm.loop !22
rest.entry:
  %rest.from.i = phi i64 [ %quad.from.i, %quad.entry ], [ %quad.loop.i.next, %quad.loop ]
  %rest.from.at = phi ptr [ %quad.from.at, %quad.entry ], [ %quad.loop.at.next, %quad.loop ]
  %rest.last = sub i64 %n, 1
  %v44 = icmp eq i64 %rest.from.i, %n
  br i1 %v44, label %done, label %rest
rest:
  %rest.i = phi i64 [ %rest.from.i, %rest.entry ], [ %rest.i.next, %rest ]
  %rest.at = phi ptr [ %rest.from.at, %rest.entry ], [ %rest.at.next, %rest ]
  %filled = phi <2 x double> [ zeroinitializer, %rest.entry ], [ %filled.next, %rest ]
  %v45 = sub i64 %rest.i, %rest.from.i
  %v46 = trunc i64 %v45 to i32
  %v47 = insertelement <2 x i32> poison, i32 %v46, i64 0
  %v48 = shufflevector <2 x i32> %v47, <2 x i32> poison, <2 x i32> zeroinitializer
  %v49 = icmp eq <2 x i32> <i32 0, i32 1>, %v48
  %v50 = load double, ptr %rest.at, align 8
  %v51 = insertelement <2 x double> poison, double %v50, i64 0
  %v52 = shufflevector <2 x double> %v51, <2 x double> poison, <2 x i32> zeroinitializer
  %filled.next = select <2 x i1> %v49, <2 x double> %v52, <2 x double> %filled
  %rest.at.next = getelementptr i8, ptr %rest.at, i64 %stride
  %rest.i.next = add i64 %rest.i, 1
  %v53 = icmp sgt i64 %rest.i.next, %rest.last
  br i1 %v53, label %store, label %rest, !llvm.loop !23
store:
  %v54 = getelementptr double, ptr %buffer, i64 %rest.from.i
  store <2 x double> %filled.next, ptr %v54, align 8
  br label %done
done:
  ret void
}

define internal void @unpack64(ptr %buffer, ptr %strided, i64 %stride, i64 %n, i64 %quad) noinline #0 {
entry:
  %whole.last = sub i64 %n, 2
  %step = mul i64 %stride, 2
  %v0 = icmp slt i64 %whole.last, 0
  br i1 %v0, label %quad.entry, label %some
some:
  switch i64 %stride, label %quad.entry [ i64 -8, label %by0 ]
by0:
  %by0.i = phi i64 [ 0, %some ], [ %by0.i.next, %by0 ]
  %by0.at = phi ptr [ %strided, %some ], [ %by0.at.next, %by0 ]
  %v1 = getelementptr double, ptr %buffer, i64 %by0.i
  %v2 = load <2 x double>, ptr %v1, align 8
  %v3 = getelementptr double, ptr %by0.at, i64 -1
  %v4 = shufflevector <2 x double> %v2, <2 x double> poison, <2 x i32> <i32 1, i32 0>
  store <2 x double> %v4, ptr %v3, align 8
  %by0.at.next = getelementptr i8, ptr %by0.at, i64 %step
  %by0.i.next = add i64 %by0.i, 2
  %v5 = icmp sgt i64 %by0.i.next, %whole.last
  br i1 %v5, label %quad.entry, label %by0, !llvm.loop !24
quad.entry:
  %quad.from.i = phi i64 [ 0, %entry ], [ 0, %some ], [ %by0.i.next, %by0 ]
  %quad.from.at = phi ptr [ %strided, %entry ], [ %strided, %some ], [ %by0.at.next, %by0 ]
  %quad.n = and i64 %n, -2
  %quad.last = sub i64 %quad.n, 2
  %v6 = icmp sgt i64 %quad.from.i, %quad.last
  br i1 %v6, label %rest.entry, label %quad.loop
quad.loop:
  %quad.loop.i = phi i64 [ %quad.from.i, %quad.entry ], [ %quad.loop.i.next, %quad.loop ]
  %quad.loop.at = phi ptr [ %quad.from.at, %quad.entry ], [ %quad.loop.at.next, %quad.loop ]
  %v7 = getelementptr double, ptr %buffer, i64 %quad.loop.i
  %v8 = load <2 x double>, ptr %v7, align 8
  %v9 = extractelement <2 x double> %v8, i64 0
  store double %v9, ptr %quad.loop.at, align 8
  %v10 = getelementptr i8, ptr %quad.loop.at, i64 %stride
  %v11 = extractelement <2 x double> %v8, i64 1
  store double %v11, ptr %v10, align 8
  %quad.loop.at.next = getelementptr i8, ptr %quad.loop.at, i64 %quad
  %quad.loop.i.next = add i64 %quad.loop.i, 2
  %v12 = icmp sgt i64 %quad.loop.i.next, %quad.last
  br i1 %v12, label %rest.entry, label %quad.loop, !llvm.loop !25
rest.entry:
  %rest.from.i = phi i64 [ %quad.from.i, %quad.entry ], [ %quad.loop.i.next, %quad.loop ]
  %rest.from.at = phi ptr [ %quad.from.at, %quad.entry ], [ %quad.loop.at.next, %quad.loop ]
  %rest.last = sub i64 %n, 1
  %v13 = icmp eq i64 %rest.from.i, %n
  br i1 %v13, label %done, label %rest
rest:
  %rest.i = phi i64 [ %rest.from.i, %rest.entry ], [ %rest.i.next, %rest ]
  %rest.at = phi ptr [ %rest.from.at, %rest.entry ], [ %rest.at.next, %rest ]
  %v14 = getelementptr double, ptr %buffer, i64 %rest.i
  %v15 = load <1 x double>, ptr %v14, align 8
  %v16 = extractelement <1 x double> %v15, i64 0
  store double %v16, ptr %rest.at, align 8
  %rest.at.next = getelementptr i8, ptr %rest.at, i64 %stride
  %rest.i.next = add i64 %rest.i, 1
  %v17 = icmp sgt i64 %rest.i.next, %rest.last
  br i1 %v17, label %done, label %rest, !llvm.loop !26
done:
  ret void
}

declare <2 x double> @llvm.masked.load.v2f64.p0(ptr, i32, <2 x i1>, <2 x double>)
declare <2 x float> @llvm.masked.load.v2f32.p0(ptr, i32, <2 x i1>, <2 x float>)
declare i64 @llvm.umax.i64(i64, i64)
declare i64 @llvm.umin.i64(i64, i64)
declare void @llvm.masked.store.v2f32.p0(<2 x float>, ptr, i32, <2 x i1>)
declare void @llvm.masked.store.v2f64.p0(<2 x double>, ptr, i32, <2 x i1>)

attributes #0 = { nounwind "no-builtins" "target-cpu"="generic" }

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
!16 = distinct !{!16, !0}
!17 = distinct !{!17, !0}
!18 = distinct !{!18, !0}
!19 = distinct !{!19, !0}
!20 = distinct !{!20, !0}
!21 = distinct !{!21, !0}
!22 = distinct !{!22, !0}
!23 = distinct !{!23, !0}
!24 = distinct !{!24, !0}
!25 = distinct !{!25, !0}
!26 = distinct !{!26, !0}
