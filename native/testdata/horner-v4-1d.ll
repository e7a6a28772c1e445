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
  %v2 = and i1 %v0, %v1
  br i1 %v2, label %contiguous, label %other
other:
  %counts.at = getelementptr ptr, ptr %args, i64 1
  %counts = load ptr, ptr %counts.at, align 8
  %n.at = getelementptr i64, ptr %counts, i64 0
  %n = load i64, ptr %n.at, align 8
  %v3 = icmp eq i64 %n, 1
  br i1 %v3, label %contiguous, label %strided
contiguous:
  %v4 = musttail call i32 @contiguous(ptr %args)
  ret i32 %v4
strided:
  %v5 = musttail call i32 @strided(ptr %args)
  ret i32 %v5
}

define internal i32 @contiguous(ptr %args) noinline #0 {
entry:
  %c0.0 = insertelement <16 x float> poison, float 0x4008000000000000, i64 0
  %c0 = shufflevector <16 x float> %c0.0, <16 x float> poison, <16 x i32> zeroinitializer
  %c1.0 = insertelement <16 x float> poison, float 0x3FD5555560000000, i64 0
  %c1 = shufflevector <16 x float> %c1.0, <16 x float> poison, <16 x i32> zeroinitializer
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
  %v1 = lshr i64 %s0.0, 2
  %moves0 = sub i64 0, %v1
  %main.last = sub i64 %n, 96
  %vector.last = sub i64 %n, 16
  br i1 %v0, label %exit, label %inner
inner:
  %v2 = icmp slt i64 %main.last, 0
  br i1 %v2, label %vector.entry, label %long
long:
  %whole.at = getelementptr i64, ptr %args, i64 3
  %whole = load i64, ptr %whole.at, align 8
  %total = call i64 @llvm.umax.i64(i64 %n, i64 %whole)
  %v3 = icmp sgt i64 %total, 131072
  br i1 %v3, label %large, label %main.entry
large:
  %v4 = icmp sle i64 %total, 524288
  br i1 %v4, label %fetching, label %huge
fetching:
  %fetching.i = phi i64 [ 0, %large ], [ %fetching.i.next, %fetching ]
  %v5 = and i64 %fetching.i, %moves0
  %v6 = getelementptr float, ptr %p0.0, i64 %v5
  %v7 = getelementptr i8, ptr %v6, i64 1024
  call void @llvm.prefetch.p0(ptr %v7, i32 0, i32 3, i32 1)
  %v8 = getelementptr i8, ptr %v6, i64 1088
  call void @llvm.prefetch.p0(ptr %v8, i32 0, i32 3, i32 1)
  %v9 = getelementptr i8, ptr %v6, i64 1152
  call void @llvm.prefetch.p0(ptr %v9, i32 0, i32 3, i32 1)
  %v10 = getelementptr i8, ptr %v6, i64 1216
  call void @llvm.prefetch.p0(ptr %v10, i32 0, i32 3, i32 1)
  %v11 = getelementptr i8, ptr %v6, i64 1280
  call void @llvm.prefetch.p0(ptr %v11, i32 0, i32 3, i32 1)
  %v12 = getelementptr i8, ptr %v6, i64 1344
  call void @llvm.prefetch.p0(ptr %v12, i32 0, i32 3, i32 1)
  %v13 = load <16 x float>, ptr %v6, align 4
  %v14 = getelementptr float, ptr %v6, i64 16
  %v15 = load <16 x float>, ptr %v14, align 4
  %v16 = getelementptr float, ptr %v6, i64 32
  %v17 = load <16 x float>, ptr %v16, align 4
  %v18 = getelementptr float, ptr %v6, i64 48
  %v19 = load <16 x float>, ptr %v18, align 4
  %v20 = getelementptr float, ptr %v6, i64 64
  %v21 = load <16 x float>, ptr %v20, align 4
  %v22 = getelementptr float, ptr %v6, i64 80
  %v23 = load <16 x float>, ptr %v22, align 4
  %v24 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v13, <16 x float> %c0, <16 x float> %c1)
  %v25 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v15, <16 x float> %c0, <16 x float> %c1)
  %v26 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v17, <16 x float> %c0, <16 x float> %c1)
  %v27 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v19, <16 x float> %c0, <16 x float> %c1)
  %v28 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v21, <16 x float> %c0, <16 x float> %c1)
  %v29 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v23, <16 x float> %c0, <16 x float> %c1)
  %v30 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v24, <16 x float> %v13, <16 x float> %c0)
  %v31 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v25, <16 x float> %v15, <16 x float> %c0)
  %v32 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v26, <16 x float> %v17, <16 x float> %c0)
  %v33 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v27, <16 x float> %v19, <16 x float> %c0)
  %v34 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v28, <16 x float> %v21, <16 x float> %c0)
  %v35 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v29, <16 x float> %v23, <16 x float> %c0)
  %v36 = getelementptr float, ptr %p1.0, i64 %fetching.i
  %v37 = getelementptr i8, ptr %v36, i64 512
  call void @llvm.prefetch.p0(ptr %v37, i32 1, i32 3, i32 1)
  %v38 = getelementptr i8, ptr %v36, i64 576
  call void @llvm.prefetch.p0(ptr %v38, i32 1, i32 3, i32 1)
  %v39 = getelementptr i8, ptr %v36, i64 640
  call void @llvm.prefetch.p0(ptr %v39, i32 1, i32 3, i32 1)
  %v40 = getelementptr i8, ptr %v36, i64 704
  call void @llvm.prefetch.p0(ptr %v40, i32 1, i32 3, i32 1)
  %v41 = getelementptr i8, ptr %v36, i64 768
  call void @llvm.prefetch.p0(ptr %v41, i32 1, i32 3, i32 1)
  %v42 = getelementptr i8, ptr %v36, i64 832
  call void @llvm.prefetch.p0(ptr %v42, i32 1, i32 3, i32 1)
  store <16 x float> %v30, ptr %v36, align 4
  %v43 = getelementptr float, ptr %v36, i64 16
  store <16 x float> %v31, ptr %v43, align 4
  %v44 = getelementptr float, ptr %v36, i64 32
  store <16 x float> %v32, ptr %v44, align 4
  %v45 = getelementptr float, ptr %v36, i64 48
  store <16 x float> %v33, ptr %v45, align 4
  %v46 = getelementptr float, ptr %v36, i64 64
  store <16 x float> %v34, ptr %v46, align 4
  %v47 = getelementptr float, ptr %v36, i64 80
  store <16 x float> %v35, ptr %v47, align 4
  %fetching.i.next = add i64 %fetching.i, 96
  %v48 = icmp sgt i64 %fetching.i.next, %main.last
  br i1 %v48, label %vector.entry, label %fetching, !llvm.loop !2
huge:
  %v49 = icmp sge i64 %total, 3145728
  %v50 = icmp sge i64 %n, 192
  %v51 = ptrtoint ptr %p1.0 to i64
  %v52 = sub i64 0, %v51
  %v53 = and i64 %v52, 63
  %aligned = lshr i64 %v53, 2
  %v54 = shl i64 %aligned, 2
  %v55 = add i64 %v51, %v54
  %v56 = and i64 %v55, 63
  %v57 = icmp eq i64 %v56, 0
  %v58 = icmp ne ptr %p0.0, %p1.0
  %v59 = and i1 %v50, %v57
  %v60 = and i1 %v59, %v58
  %streaming = and i1 %v49, %v60
  %head.last = select i1 %streaming, i64 0, i64 %main.last
  br label %main.entry
main.entry:
  %plain.last = phi i64 [ %main.last, %long ], [ %head.last, %huge ]
  %streams = phi i1 [ false, %long ], [ %streaming, %huge ]
  %stream.from = phi i64 [ 0, %long ], [ %aligned, %huge ]
  br label %main
main:
  %main.i = phi i64 [ 0, %main.entry ], [ %main.i.next, %main ]
  %v61 = and i64 %main.i, %moves0
  %v62 = getelementptr float, ptr %p0.0, i64 %v61
  %v63 = load <16 x float>, ptr %v62, align 4
  %v64 = getelementptr float, ptr %v62, i64 16
  %v65 = load <16 x float>, ptr %v64, align 4
  %v66 = getelementptr float, ptr %v62, i64 32
  %v67 = load <16 x float>, ptr %v66, align 4
  %v68 = getelementptr float, ptr %v62, i64 48
  %v69 = load <16 x float>, ptr %v68, align 4
  %v70 = getelementptr float, ptr %v62, i64 64
  %v71 = load <16 x float>, ptr %v70, align 4
  %v72 = getelementptr float, ptr %v62, i64 80
  %v73 = load <16 x float>, ptr %v72, align 4
  %v74 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v63, <16 x float> %c0, <16 x float> %c1)
  %v75 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v65, <16 x float> %c0, <16 x float> %c1)
  %v76 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v67, <16 x float> %c0, <16 x float> %c1)
  %v77 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v69, <16 x float> %c0, <16 x float> %c1)
  %v78 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v71, <16 x float> %c0, <16 x float> %c1)
  %v79 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v73, <16 x float> %c0, <16 x float> %c1)
  %v80 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v74, <16 x float> %v63, <16 x float> %c0)
  %v81 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v75, <16 x float> %v65, <16 x float> %c0)
  %v82 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v76, <16 x float> %v67, <16 x float> %c0)
  %v83 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v77, <16 x float> %v69, <16 x float> %c0)
  %v84 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v78, <16 x float> %v71, <16 x float> %c0)
  %v85 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v79, <16 x float> %v73, <16 x float> %c0)
  %v86 = getelementptr float, ptr %p1.0, i64 %main.i
  store <16 x float> %v80, ptr %v86, align 4
  %v87 = getelementptr float, ptr %v86, i64 16
  store <16 x float> %v81, ptr %v87, align 4
  %v88 = getelementptr float, ptr %v86, i64 32
  store <16 x float> %v82, ptr %v88, align 4
  %v89 = getelementptr float, ptr %v86, i64 48
  store <16 x float> %v83, ptr %v89, align 4
  %v90 = getelementptr float, ptr %v86, i64 64
  store <16 x float> %v84, ptr %v90, align 4
  %v91 = getelementptr float, ptr %v86, i64 80
  store <16 x float> %v85, ptr %v91, align 4
  %main.i.next = add i64 %main.i, 96
  %v92 = icmp sgt i64 %main.i.next, %plain.last
  br i1 %v92, label %main.end, label %main, !llvm.loop !3
main.end:
  %stream.last = sub i64 %n, 16
  br i1 %streams, label %stream, label %vector.entry
stream:
  %stream.i = phi i64 [ %stream.from, %main.end ], [ %stream.i.next, %stream ]
  %v93 = and i64 %stream.i, %moves0
  %v94 = getelementptr float, ptr %p0.0, i64 %v93
  %v95 = getelementptr i8, ptr %v94, i64 4096
  call void @llvm.prefetch.p0(ptr %v95, i32 0, i32 3, i32 1)
  %v96 = load <16 x float>, ptr %v94, align 4
  %v97 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v96, <16 x float> %c0, <16 x float> %c1)
  %v98 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v97, <16 x float> %v96, <16 x float> %c0)
  %v99 = getelementptr float, ptr %p1.0, i64 %stream.i
  store <16 x float> %v98, ptr %v99, align 64, !nontemporal !1
  %stream.i.next = add i64 %stream.i, 16
  %v100 = icmp sgt i64 %stream.i.next, %stream.last
  br i1 %v100, label %stream.end, label %stream, !llvm.loop !4
stream.end:
  call void @llvm.x86.sse.sfence()
  br label %vector.entry
vector.entry:
  %vector.from = phi i64 [ 0, %inner ], [ %fetching.i.next, %fetching ], [ %main.i.next, %main.end ], [ %stream.i.next, %stream.end ]
  %v101 = icmp sgt i64 %vector.from, %vector.last
  br i1 %v101, label %tail.entry, label %vector
vector:
  %vector.i = phi i64 [ %vector.from, %vector.entry ], [ %vector.i.next, %vector ]
  %v102 = and i64 %vector.i, %moves0
  %v103 = getelementptr float, ptr %p0.0, i64 %v102
  %v104 = load <16 x float>, ptr %v103, align 4
  %v105 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v104, <16 x float> %c0, <16 x float> %c1)
  %v106 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v105, <16 x float> %v104, <16 x float> %c0)
  %v107 = getelementptr float, ptr %p1.0, i64 %vector.i
  store <16 x float> %v106, ptr %v107, align 4
  %vector.i.next = add i64 %vector.i, 16
  %v108 = icmp sgt i64 %vector.i.next, %vector.last
  br i1 %v108, label %tail.entry, label %vector, !llvm.loop !5
tail.entry:
  %tail.from = phi i64 [ %vector.from, %vector.entry ], [ %vector.i.next, %vector ]
  %tail.left = sub i64 %n, %tail.from
  %v109 = icmp eq i64 %tail.left, 0
  br i1 %v109, label %exit, label %tail
tail:
  %v110 = trunc i64 %tail.left to i32
  %v111 = insertelement <16 x i32> poison, i32 %v110, i64 0
  %v112 = shufflevector <16 x i32> %v111, <16 x i32> poison, <16 x i32> zeroinitializer
  %v113 = icmp ult <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>, %v112
  %v114 = and i64 %tail.from, %moves0
  %v115 = getelementptr float, ptr %p0.0, i64 %v114
  %v116 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v115, i32 4, <16 x i1> %v113, <16 x float> zeroinitializer)
  %v117 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v116, <16 x float> %c0, <16 x float> %c1)
  %v118 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v117, <16 x float> %v116, <16 x float> %c0)
  %v119 = getelementptr float, ptr %p1.0, i64 %tail.from
  call void @llvm.masked.store.v16f32.p0(<16 x float> %v118, ptr %v119, i32 4, <16 x i1> %v113)
  br label %exit
exit:
  ret i32 0
}

define internal i32 @strided(ptr %args) noinline #0 {
entry:
  %buffer0 = alloca [128 x float], align 64
  %buffer1 = alloca [128 x float], align 64
  %chunk.args = alloca [4 x ptr], align 8
  %chunk.whole = getelementptr i64, ptr %chunk.args, i64 3
  store i64 0, ptr %chunk.whole, align 8
  %chunk.data = alloca [2 x ptr], align 8
  %v0 = getelementptr ptr, ptr %chunk.args, i64 0
  store ptr %chunk.data, ptr %v0, align 8
  %chunk.counts = alloca [1 x i64], align 8
  %v1 = getelementptr ptr, ptr %chunk.args, i64 1
  store ptr %chunk.counts, ptr %v1, align 8
  %chunk.strides = alloca [2 x i64], align 8
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
  %unit0 = icmp eq i64 %s0.0, 4
  %fixed0 = icmp eq i64 %s0.0, 0
  %plain0 = or i1 %unit0, %fixed0
  %v4 = select i1 %fixed0, i64 0, i64 4
  %v5 = getelementptr i64, ptr %chunk.strides, i64 0
  store i64 %v4, ptr %v5, align 8
  %unit1 = icmp eq i64 %s1.0, 4
  %fixed1 = icmp eq i64 %s1.0, 0
  %plain1 = or i1 %unit1, false
  %v6 = select i1 %fixed1, i64 0, i64 4
  %v7 = getelementptr i64, ptr %chunk.strides, i64 1
  store i64 4, ptr %v7, align 8
  %v8 = and i1 %plain0, %plain1
  %chunk.limit = select i1 %v8, i64 %n, i64 128
  br i1 %v3, label %exit, label %inner
inner:
  br i1 %fixed0, label %fill0, label %filled0
fill0:
  %v9 = load float, ptr %p0.0, align 4
  %v10 = insertelement <16 x float> poison, float %v9, i64 0
  %v11 = shufflevector <16 x float> %v10, <16 x float> poison, <16 x i32> zeroinitializer
  store <16 x float> %v11, ptr %buffer0, align 4
  %v12 = getelementptr float, ptr %buffer0, i64 16
  store <16 x float> %v11, ptr %v12, align 4
  %v13 = getelementptr float, ptr %buffer0, i64 32
  store <16 x float> %v11, ptr %v13, align 4
  %v14 = getelementptr float, ptr %buffer0, i64 48
  store <16 x float> %v11, ptr %v14, align 4
  %v15 = getelementptr float, ptr %buffer0, i64 64
  store <16 x float> %v11, ptr %v15, align 4
  %v16 = getelementptr float, ptr %buffer0, i64 80
  store <16 x float> %v11, ptr %v16, align 4
  br label %filled0
filled0:
  br label %chunk
chunk:
  %chunk.left = phi i64 [ %n, %filled0 ], [ %chunk.left.next, %chunk.next ]
  %q0 = phi ptr [ %p0.0, %filled0 ], [ %q0.next, %chunk.next ]
  %q1 = phi ptr [ %p1.0, %filled0 ], [ %q1.next, %chunk.next ]
  %chunk.n = call i64 @llvm.umin.i64(i64 %chunk.left, i64 %chunk.limit)
  %v17 = getelementptr i64, ptr %chunk.counts, i64 0
  store i64 %chunk.n, ptr %v17, align 8
  %v18 = select i1 %unit0, ptr %q0, ptr %buffer0
  %v19 = getelementptr i64, ptr %chunk.data, i64 0
  store ptr %v18, ptr %v19, align 8
  br i1 %plain0, label %packed0, label %pack0
pack0:
  %v20 = mul i64 %s0.0, 4
  call void @pack32(ptr %buffer0, ptr %q0, i64 %s0.0, i64 %chunk.n, i64 %v20)
  br label %packed0
packed0:
  %v21 = select i1 %unit1, ptr %q1, ptr %buffer1
  %v22 = getelementptr i64, ptr %chunk.data, i64 1
  store ptr %v21, ptr %v22, align 8
  call i32 @contiguous(ptr %chunk.args)
  br i1 %plain1, label %unpacked1, label %unpack1
unpack1:
  %v23 = mul i64 %s1.0, 4
  call void @unpack32(ptr %buffer1, ptr %q1, i64 %s1.0, i64 %chunk.n, i64 %v23)
  br label %unpacked1
unpacked1:
  br label %chunk.next
chunk.next:
  %chunk.left.next = sub i64 %chunk.left, %chunk.n
  %v24 = mul i64 %chunk.n, %s0.0
  %q0.next = getelementptr i8, ptr %q0, i64 %v24
  %v25 = mul i64 %chunk.n, %s1.0
  %q1.next = getelementptr i8, ptr %q1, i64 %v25
  %v26 = icmp eq i64 %chunk.left.next, 0
  br i1 %v26, label %exit, label %chunk, !llvm.loop !6
exit:
  ret i32 0
}

define internal void @pack32(ptr %buffer, ptr %strided, i64 %stride, i64 %n, i64 %quad) noinline #0 {
entry:
  %whole.last = sub i64 %n, 16
  %step = mul i64 %stride, 16
  %v0 = icmp slt i64 %whole.last, 0
  br i1 %v0, label %quad.entry, label %some
some:
  switch i64 %stride, label %quad.entry [ i64 -4, label %by0 i64 8, label %by1 i64 12, label %by2 i64 16, label %by3 ]
by0:
  %by0.i = phi i64 [ 0, %some ], [ %by0.i.next, %by0 ]
  %by0.at = phi ptr [ %strided, %some ], [ %by0.at.next, %by0 ]
  %v1 = getelementptr float, ptr %buffer, i64 %by0.i
  %v2 = getelementptr float, ptr %by0.at, i64 -15
  %v3 = load <16 x float>, ptr %v2, align 4
  %v4 = shufflevector <16 x float> %v3, <16 x float> poison, <16 x i32> <i32 15, i32 14, i32 13, i32 12, i32 11, i32 10, i32 9, i32 8, i32 7, i32 6, i32 5, i32 4, i32 3, i32 2, i32 1, i32 0>
  store <16 x float> %v4, ptr %v1, align 4
  %by0.at.next = getelementptr i8, ptr %by0.at, i64 %step
  %by0.i.next = add i64 %by0.i, 16
  %v5 = icmp sgt i64 %by0.i.next, %whole.last
  br i1 %v5, label %quad.entry, label %by0, !llvm.loop !7
by1:
  %by1.i = phi i64 [ 0, %some ], [ %by1.i.next, %by1 ]
  %by1.at = phi ptr [ %strided, %some ], [ %by1.at.next, %by1 ]
  %v6 = getelementptr float, ptr %buffer, i64 %by1.i
  %v7 = load <16 x float>, ptr %by1.at, align 4
  %v8 = shufflevector <16 x float> %v7, <16 x float> poison, <16 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison>
  %v9 = getelementptr float, ptr %by1.at, i64 15
  %v10 = load <16 x float>, ptr %v9, align 4
  %v11 = shufflevector <16 x float> %v8, <16 x float> %v10, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 17, i32 19, i32 21, i32 23, i32 25, i32 27, i32 29, i32 31>
  store <16 x float> %v11, ptr %v6, align 4
  %by1.at.next = getelementptr i8, ptr %by1.at, i64 %step
  %by1.i.next = add i64 %by1.i, 16
  %v12 = icmp sgt i64 %by1.i.next, %whole.last
  br i1 %v12, label %quad.entry, label %by1, !llvm.loop !8
by2:
  %by2.i = phi i64 [ 0, %some ], [ %by2.i.next, %by2 ]
  %by2.at = phi ptr [ %strided, %some ], [ %by2.at.next, %by2 ]
  %v13 = getelementptr float, ptr %buffer, i64 %by2.i
  %v14 = load <16 x float>, ptr %by2.at, align 4
  %v15 = shufflevector <16 x float> %v14, <16 x float> poison, <16 x i32> <i32 0, i32 3, i32 6, i32 9, i32 12, i32 15, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison>
  %v16 = getelementptr float, ptr %by2.at, i64 16
  %v17 = load <16 x float>, ptr %v16, align 4
  %v18 = shufflevector <16 x float> %v15, <16 x float> %v17, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 18, i32 21, i32 24, i32 27, i32 30, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison>
  %v19 = getelementptr float, ptr %by2.at, i64 30
  %v20 = load <16 x float>, ptr %v19, align 4
  %v21 = shufflevector <16 x float> %v18, <16 x float> %v20, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 19, i32 22, i32 25, i32 28, i32 31>
  store <16 x float> %v21, ptr %v13, align 4
  %by2.at.next = getelementptr i8, ptr %by2.at, i64 %step
  %by2.i.next = add i64 %by2.i, 16
  %v22 = icmp sgt i64 %by2.i.next, %whole.last
  br i1 %v22, label %quad.entry, label %by2, !llvm.loop !9
by3:
  %by3.i = phi i64 [ 0, %some ], [ %by3.i.next, %by3 ]
  %by3.at = phi ptr [ %strided, %some ], [ %by3.at.next, %by3 ]
  %v23 = getelementptr float, ptr %buffer, i64 %by3.i
  %v24 = load <16 x float>, ptr %by3.at, align 4
  %v25 = shufflevector <16 x float> %v24, <16 x float> poison, <16 x i32> <i32 0, i32 4, i32 8, i32 12, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison>
  %v26 = getelementptr float, ptr %by3.at, i64 16
  %v27 = load <16 x float>, ptr %v26, align 4
  %v28 = shufflevector <16 x float> %v25, <16 x float> %v27, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 16, i32 20, i32 24, i32 28, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison, i32 poison>
  %v29 = getelementptr float, ptr %by3.at, i64 32
  %v30 = load <16 x float>, ptr %v29, align 4
  %v31 = shufflevector <16 x float> %v28, <16 x float> %v30, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 16, i32 20, i32 24, i32 28, i32 poison, i32 poison, i32 poison, i32 poison>
  %v32 = getelementptr float, ptr %by3.at, i64 45
  %v33 = load <16 x float>, ptr %v32, align 4
  %v34 = shufflevector <16 x float> %v31, <16 x float> %v33, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 19, i32 23, i32 27, i32 31>
  store <16 x float> %v34, ptr %v23, align 4
  %by3.at.next = getelementptr i8, ptr %by3.at, i64 %step
  %by3.i.next = add i64 %by3.i, 16
  %v35 = icmp sgt i64 %by3.i.next, %whole.last
  br i1 %v35, label %quad.entry, label %by3, !llvm.loop !10
quad.entry:
  %quad.from.i = phi i64 [ 0, %entry ], [ 0, %some ], [ %by0.i.next, %by0 ], [ %by1.i.next, %by1 ], [ %by2.i.next, %by2 ], [ %by3.i.next, %by3 ]
  %quad.from.at = phi ptr [ %strided, %entry ], [ %strided, %some ], [ %by0.at.next, %by0 ], [ %by1.at.next, %by1 ], [ %by2.at.next, %by2 ], [ %by3.at.next, %by3 ]
  %quad.n = and i64 %n, -16
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
  %filled = phi <16 x float> [ zeroinitializer, %rest.entry ], [ %filled.next, %rest ]
  %v51 = sub i64 %rest.i, %rest.from.i
  %v52 = trunc i64 %v51 to i32
  %v53 = insertelement <16 x i32> poison, i32 %v52, i64 0
  %v54 = shufflevector <16 x i32> %v53, <16 x i32> poison, <16 x i32> zeroinitializer
  %v55 = icmp eq <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>, %v54
  %v56 = load float, ptr %rest.at, align 4
  %v57 = insertelement <16 x float> poison, float %v56, i64 0
  %v58 = shufflevector <16 x float> %v57, <16 x float> poison, <16 x i32> zeroinitializer
  %filled.next = select <16 x i1> %v55, <16 x float> %v58, <16 x float> %filled
  %rest.at.next = getelementptr i8, ptr %rest.at, i64 %stride
  %rest.i.next = add i64 %rest.i, 1
  %v59 = icmp sgt i64 %rest.i.next, %rest.last
  br i1 %v59, label %store, label %rest, !llvm.loop !12
store:
  %v60 = getelementptr float, ptr %buffer, i64 %rest.from.i
  store <16 x float> %filled.next, ptr %v60, align 4
  br label %done
done:
  ret void
}

define internal void @unpack32(ptr %buffer, ptr %strided, i64 %stride, i64 %n, i64 %quad) noinline #0 {
entry:
  %whole.last = sub i64 %n, 16
  %step = mul i64 %stride, 16
  %v0 = icmp slt i64 %whole.last, 0
  br i1 %v0, label %quad.entry, label %some
some:
  switch i64 %stride, label %quad.entry [ i64 -4, label %by0 i64 8, label %by1 i64 12, label %by2 i64 16, label %by3 ]
by0:
  %by0.i = phi i64 [ 0, %some ], [ %by0.i.next, %by0 ]
  %by0.at = phi ptr [ %strided, %some ], [ %by0.at.next, %by0 ]
  %v1 = getelementptr float, ptr %buffer, i64 %by0.i
  %v2 = load <16 x float>, ptr %v1, align 4
  %v3 = getelementptr float, ptr %by0.at, i64 -15
  %v4 = shufflevector <16 x float> %v2, <16 x float> poison, <16 x i32> <i32 15, i32 14, i32 13, i32 12, i32 11, i32 10, i32 9, i32 8, i32 7, i32 6, i32 5, i32 4, i32 3, i32 2, i32 1, i32 0>
  store <16 x float> %v4, ptr %v3, align 4
  %by0.at.next = getelementptr i8, ptr %by0.at, i64 %step
  %by0.i.next = add i64 %by0.i, 16
  %v5 = icmp sgt i64 %by0.i.next, %whole.last
  br i1 %v5, label %quad.entry, label %by0, !llvm.loop !13
by1:
  %by1.i = phi i64 [ 0, %some ], [ %by1.i.next, %by1 ]
  %by1.at = phi ptr [ %strided, %some ], [ %by1.at.next, %by1 ]
  %v6 = getelementptr float, ptr %buffer, i64 %by1.i
  %v7 = load <16 x float>, ptr %v6, align 4
  %v8 = shufflevector <16 x float> %v7, <16 x float> poison, <16 x i32> <i32 0, i32 poison, i32 1, i32 poison, i32 2, i32 poison, i32 3, i32 poison, i32 4, i32 poison, i32 5, i32 poison, i32 6, i32 poison, i32 7, i32 poison>
  %v9 = getelementptr float, ptr %by1.at, i64 0
  call void @llvm.masked.store.v16f32.p0(<16 x float> %v8, ptr %v9, i32 4, <16 x i1> <i1 true, i1 false, i1 true, i1 false, i1 true, i1 false, i1 true, i1 false, i1 true, i1 false, i1 true, i1 false, i1 true, i1 false, i1 true, i1 false>)
  %v10 = shufflevector <16 x float> %v7, <16 x float> poison, <16 x i32> <i32 8, i32 poison, i32 9, i32 poison, i32 10, i32 poison, i32 11, i32 poison, i32 12, i32 poison, i32 13, i32 poison, i32 14, i32 poison, i32 15, i32 poison>
  %v11 = getelementptr float, ptr %by1.at, i64 16
  call void @llvm.masked.store.v16f32.p0(<16 x float> %v10, ptr %v11, i32 4, <16 x i1> <i1 true, i1 false, i1 true, i1 false, i1 true, i1 false, i1 true, i1 false, i1 true, i1 false, i1 true, i1 false, i1 true, i1 false, i1 true, i1 false>)
  %by1.at.next = getelementptr i8, ptr %by1.at, i64 %step
  %by1.i.next = add i64 %by1.i, 16
  %v12 = icmp sgt i64 %by1.i.next, %whole.last
  br i1 %v12, label %quad.entry, label %by1, !llvm.loop !14
by2:
  %by2.i = phi i64 [ 0, %some ], [ %by2.i.next, %by2 ]
  %by2.at = phi ptr [ %strided, %some ], [ %by2.at.next, %by2 ]
  %v13 = getelementptr float, ptr %buffer, i64 %by2.i
  %v14 = load <16 x float>, ptr %v13, align 4
  %v15 = shufflevector <16 x float> %v14, <16 x float> poison, <16 x i32> <i32 0, i32 poison, i32 poison, i32 1, i32 poison, i32 poison, i32 2, i32 poison, i32 poison, i32 3, i32 poison, i32 poison, i32 4, i32 poison, i32 poison, i32 5>
  %v16 = getelementptr float, ptr %by2.at, i64 0
  call void @llvm.masked.store.v16f32.p0(<16 x float> %v15, ptr %v16, i32 4, <16 x i1> <i1 true, i1 false, i1 false, i1 true, i1 false, i1 false, i1 true, i1 false, i1 false, i1 true, i1 false, i1 false, i1 true, i1 false, i1 false, i1 true>)
  %v17 = shufflevector <16 x float> %v14, <16 x float> poison, <16 x i32> <i32 poison, i32 poison, i32 6, i32 poison, i32 poison, i32 7, i32 poison, i32 poison, i32 8, i32 poison, i32 poison, i32 9, i32 poison, i32 poison, i32 10, i32 poison>
  %v18 = getelementptr float, ptr %by2.at, i64 16
  call void @llvm.masked.store.v16f32.p0(<16 x float> %v17, ptr %v18, i32 4, <16 x i1> <i1 false, i1 false, i1 true, i1 false, i1 false, i1 true, i1 false, i1 false, i1 true, i1 false, i1 false, i1 true, i1 false, i1 false, i1 true, i1 false>)
  %v19 = shufflevector <16 x float> %v14, <16 x float> poison, <16 x i32> <i32 poison, i32 11, i32 poison, i32 poison, i32 12, i32 poison, i32 poison, i32 13, i32 poison, i32 poison, i32 14, i32 poison, i32 poison, i32 15, i32 poison, i32 poison>
  %v20 = getelementptr float, ptr %by2.at, i64 32
  call void @llvm.masked.store.v16f32.p0(<16 x float> %v19, ptr %v20, i32 4, <16 x i1> <i1 false, i1 true, i1 false, i1 false, i1 true, i1 false, i1 false, i1 true, i1 false, i1 false, i1 true, i1 false, i1 false, i1 true, i1 false, i1 false>)
  %by2.at.next = getelementptr i8, ptr %by2.at, i64 %step
  %by2.i.next = add i64 %by2.i, 16
  %v21 = icmp sgt i64 %by2.i.next, %whole.last
  br i1 %v21, label %quad.entry, label %by2, !llvm.loop !15
by3:
  %by3.i = phi i64 [ 0, %some ], [ %by3.i.next, %by3 ]
  %by3.at = phi ptr [ %strided, %some ], [ %by3.at.next, %by3 ]
  %v22 = getelementptr float, ptr %buffer, i64 %by3.i
  %v23 = load <16 x float>, ptr %v22, align 4
  %v24 = shufflevector <16 x float> %v23, <16 x float> poison, <16 x i32> <i32 0, i32 poison, i32 poison, i32 poison, i32 1, i32 poison, i32 poison, i32 poison, i32 2, i32 poison, i32 poison, i32 poison, i32 3, i32 poison, i32 poison, i32 poison>
  %v25 = getelementptr float, ptr %by3.at, i64 0
  call void @llvm.masked.store.v16f32.p0(<16 x float> %v24, ptr %v25, i32 4, <16 x i1> <i1 true, i1 false, i1 false, i1 false, i1 true, i1 false, i1 false, i1 false, i1 true, i1 false, i1 false, i1 false, i1 true, i1 false, i1 false, i1 false>)
  %v26 = shufflevector <16 x float> %v23, <16 x float> poison, <16 x i32> <i32 4, i32 poison, i32 poison, i32 poison, i32 5, i32 poison, i32 poison, i32 poison, i32 6, i32 poison, i32 poison, i32 poison, i32 7, i32 poison, i32 poison, i32 poison>
  %v27 = getelementptr float, ptr %by3.at, i64 16
  call void @llvm.masked.store.v16f32.p0(<16 x float> %v26, ptr %v27, i32 4, <16 x i1> <i1 true, i1 false, i1 false, i1 false, i1 true, i1 false, i1 false, i1 false, i1 true, i1 false, i1 false, i1 false, i1 true, i1 false, i1 false, i1 false>)
  %v28 = shufflevector <16 x float> %v23, <16 x float> poison, <16 x i32> <i32 8, i32 poison, i32 poison, i32 poison, i32 9, i32 poison, i32 poison, i32 poison, i32 10, i32 poison, i32 poison, i32 poison, i32 11, i32 poison, i32 poison, i32 poison>
  %v29 = getelementptr float, ptr %by3.at, i64 32
  call void @llvm.masked.store.v16f32.p0(<16 x float> %v28, ptr %v29, i32 4, <16 x i1> <i1 true, i1 false, i1 false, i1 false, i1 true, i1 false, i1 false, i1 false, i1 true, i1 false, i1 false, i1 false, i1 true, i1 false, i1 false, i1 false>)
  %v30 = shufflevector <16 x float> %v23, <16 x float> poison, <16 x i32> <i32 12, i32 poison, i32 poison, i32 poison, i32 13, i32 poison, i32 poison, i32 poison, i32 14, i32 poison, i32 poison, i32 poison, i32 15, i32 poison, i32 poison, i32 poison>
  %v31 = getelementptr float, ptr %by3.at, i64 48
  call void @llvm.masked.store.v16f32.p0(<16 x float> %v30, ptr %v31, i32 4, <16 x i1> <i1 true, i1 false, i1 false, i1 false, i1 true, i1 false, i1 false, i1 false, i1 true, i1 false, i1 false, i1 false, i1 true, i1 false, i1 false, i1 false>)
  %by3.at.next = getelementptr i8, ptr %by3.at, i64 %step
  %by3.i.next = add i64 %by3.i, 16
  %v32 = icmp sgt i64 %by3.i.next, %whole.last
  br i1 %v32, label %quad.entry, label %by3, !llvm.loop !16
quad.entry:
  %quad.from.i = phi i64 [ 0, %entry ], [ 0, %some ], [ %by0.i.next, %by0 ], [ %by1.i.next, %by1 ], [ %by2.i.next, %by2 ], [ %by3.i.next, %by3 ]
  %quad.from.at = phi ptr [ %strided, %entry ], [ %strided, %some ], [ %by0.at.next, %by0 ], [ %by1.at.next, %by1 ], [ %by2.at.next, %by2 ], [ %by3.at.next, %by3 ]
  %quad.n = and i64 %n, -16
  %quad.last = sub i64 %quad.n, 4
  %v33 = icmp sgt i64 %quad.from.i, %quad.last
  br i1 %v33, label %rest.entry, label %quad.loop
quad.loop:
  %quad.loop.i = phi i64 [ %quad.from.i, %quad.entry ], [ %quad.loop.i.next, %quad.loop ]
  %quad.loop.at = phi ptr [ %quad.from.at, %quad.entry ], [ %quad.loop.at.next, %quad.loop ]
  %v34 = getelementptr float, ptr %buffer, i64 %quad.loop.i
  %v35 = load <4 x float>, ptr %v34, align 4
  %v36 = extractelement <4 x float> %v35, i64 0
  store float %v36, ptr %quad.loop.at, align 4
  %v37 = getelementptr i8, ptr %quad.loop.at, i64 %stride
  %v38 = extractelement <4 x float> %v35, i64 1
  store float %v38, ptr %v37, align 4
  %v39 = getelementptr i8, ptr %v37, i64 %stride
  %v40 = extractelement <4 x float> %v35, i64 2
  store float %v40, ptr %v39, align 4
  %v41 = getelementptr i8, ptr %v39, i64 %stride
  %v42 = extractelement <4 x float> %v35, i64 3
  store float %v42, ptr %v41, align 4
  %quad.loop.at.next = getelementptr i8, ptr %quad.loop.at, i64 %quad
  %quad.loop.i.next = add i64 %quad.loop.i, 4
  %v43 = icmp sgt i64 %quad.loop.i.next, %quad.last
  br i1 %v43, label %rest.entry, label %quad.loop, !llvm.loop !17
rest.entry:
  %rest.from.i = phi i64 [ %quad.from.i, %quad.entry ], [ %quad.loop.i.next, %quad.loop ]
  %rest.from.at = phi ptr [ %quad.from.at, %quad.entry ], [ %quad.loop.at.next, %quad.loop ]
  %rest.last = sub i64 %n, 1
  %v44 = icmp eq i64 %rest.from.i, %n
  br i1 %v44, label %done, label %rest
rest:
  %rest.i = phi i64 [ %rest.from.i, %rest.entry ], [ %rest.i.next, %rest ]
  %rest.at = phi ptr [ %rest.from.at, %rest.entry ], [ %rest.at.next, %rest ]
  %v45 = getelementptr float, ptr %buffer, i64 %rest.i
  %v46 = load <1 x float>, ptr %v45, align 4
  %v47 = extractelement <1 x float> %v46, i64 0
  store float %v47, ptr %rest.at, align 4
  %rest.at.next = getelementptr i8, ptr %rest.at, i64 %stride
  %rest.i.next = add i64 %rest.i, 1
  %v48 = icmp sgt i64 %rest.i.next, %rest.last
  br i1 %v48, label %done, label %rest, !llvm.loop !18
done:
  ret void
}

declare <16 x float> @llvm.fma.v16f32(<16 x float>, <16 x float>, <16 x float>)
declare <16 x float> @llvm.masked.load.v16f32.p0(ptr, i32, <16 x i1>, <16 x float>)
declare i64 @llvm.umax.i64(i64, i64)
declare i64 @llvm.umin.i64(i64, i64)
declare void @llvm.masked.store.v16f32.p0(<16 x float>, ptr, i32, <16 x i1>)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
declare void @llvm.x86.sse.sfence()

attributes #0 = { nounwind "no-builtins" "target-cpu"="x86-64-v4" "prefer-vector-width"="512" "min-legal-vector-width"="512" }

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
