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
  %main.last = sub i64 %n, 128
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
  %v13 = getelementptr i8, ptr %v6, i64 1408
  call void @llvm.prefetch.p0(ptr %v13, i32 0, i32 3, i32 1)
  %v14 = getelementptr i8, ptr %v6, i64 1472
  call void @llvm.prefetch.p0(ptr %v14, i32 0, i32 3, i32 1)
  %v15 = load <16 x float>, ptr %v6, align 4
  %v16 = getelementptr float, ptr %v6, i64 16
  %v17 = load <16 x float>, ptr %v16, align 4
  %v18 = getelementptr float, ptr %v6, i64 32
  %v19 = load <16 x float>, ptr %v18, align 4
  %v20 = getelementptr float, ptr %v6, i64 48
  %v21 = load <16 x float>, ptr %v20, align 4
  %v22 = getelementptr float, ptr %v6, i64 64
  %v23 = load <16 x float>, ptr %v22, align 4
  %v24 = getelementptr float, ptr %v6, i64 80
  %v25 = load <16 x float>, ptr %v24, align 4
  %v26 = getelementptr float, ptr %v6, i64 96
  %v27 = load <16 x float>, ptr %v26, align 4
  %v28 = getelementptr float, ptr %v6, i64 112
  %v29 = load <16 x float>, ptr %v28, align 4
  %v30 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v15, <16 x float> %c0, <16 x float> %c1)
  %v31 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v17, <16 x float> %c0, <16 x float> %c1)
  %v32 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v19, <16 x float> %c0, <16 x float> %c1)
  %v33 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v21, <16 x float> %c0, <16 x float> %c1)
  %v34 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v23, <16 x float> %c0, <16 x float> %c1)
  %v35 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v25, <16 x float> %c0, <16 x float> %c1)
  %v36 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v27, <16 x float> %c0, <16 x float> %c1)
  %v37 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v29, <16 x float> %c0, <16 x float> %c1)
  %v38 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v30, <16 x float> %v15, <16 x float> %c0)
  %v39 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v31, <16 x float> %v17, <16 x float> %c0)
  %v40 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v32, <16 x float> %v19, <16 x float> %c0)
  %v41 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v33, <16 x float> %v21, <16 x float> %c0)
  %v42 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v34, <16 x float> %v23, <16 x float> %c0)
  %v43 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v35, <16 x float> %v25, <16 x float> %c0)
  %v44 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v36, <16 x float> %v27, <16 x float> %c0)
  %v45 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v37, <16 x float> %v29, <16 x float> %c0)
  %v46 = getelementptr float, ptr %p1.0, i64 %fetching.i
  %v47 = getelementptr i8, ptr %v46, i64 512
  call void @llvm.prefetch.p0(ptr %v47, i32 1, i32 3, i32 1)
  %v48 = getelementptr i8, ptr %v46, i64 576
  call void @llvm.prefetch.p0(ptr %v48, i32 1, i32 3, i32 1)
  %v49 = getelementptr i8, ptr %v46, i64 640
  call void @llvm.prefetch.p0(ptr %v49, i32 1, i32 3, i32 1)
  %v50 = getelementptr i8, ptr %v46, i64 704
  call void @llvm.prefetch.p0(ptr %v50, i32 1, i32 3, i32 1)
  %v51 = getelementptr i8, ptr %v46, i64 768
  call void @llvm.prefetch.p0(ptr %v51, i32 1, i32 3, i32 1)
  %v52 = getelementptr i8, ptr %v46, i64 832
  call void @llvm.prefetch.p0(ptr %v52, i32 1, i32 3, i32 1)
  %v53 = getelementptr i8, ptr %v46, i64 896
  call void @llvm.prefetch.p0(ptr %v53, i32 1, i32 3, i32 1)
  %v54 = getelementptr i8, ptr %v46, i64 960
  call void @llvm.prefetch.p0(ptr %v54, i32 1, i32 3, i32 1)
  store <16 x float> %v38, ptr %v46, align 4
  %v55 = getelementptr float, ptr %v46, i64 16
  store <16 x float> %v39, ptr %v55, align 4
  %v56 = getelementptr float, ptr %v46, i64 32
  store <16 x float> %v40, ptr %v56, align 4
  %v57 = getelementptr float, ptr %v46, i64 48
  store <16 x float> %v41, ptr %v57, align 4
  %v58 = getelementptr float, ptr %v46, i64 64
  store <16 x float> %v42, ptr %v58, align 4
  %v59 = getelementptr float, ptr %v46, i64 80
  store <16 x float> %v43, ptr %v59, align 4
  %v60 = getelementptr float, ptr %v46, i64 96
  store <16 x float> %v44, ptr %v60, align 4
  %v61 = getelementptr float, ptr %v46, i64 112
  store <16 x float> %v45, ptr %v61, align 4
  %fetching.i.next = add i64 %fetching.i, 128
  %v62 = icmp sgt i64 %fetching.i.next, %main.last
  br i1 %v62, label %vector.entry, label %fetching, !llvm.loop !2
huge:
  %v63 = icmp sge i64 %total, 3145728
  %v64 = icmp sge i64 %n, 256
  %v65 = ptrtoint ptr %p1.0 to i64
  %v66 = sub i64 0, %v65
  %v67 = and i64 %v66, 63
  %aligned = lshr i64 %v67, 2
  %v68 = shl i64 %aligned, 2
  %v69 = add i64 %v65, %v68
  %v70 = and i64 %v69, 63
  %v71 = icmp eq i64 %v70, 0
  %v72 = icmp ne ptr %p0.0, %p1.0
  %v73 = and i1 %v64, %v71
  %v74 = and i1 %v73, %v72
  %streaming = and i1 %v63, %v74
  %head.last = select i1 %streaming, i64 0, i64 %main.last
  br label %main.entry
main.entry:
  %plain.last = phi i64 [ %main.last, %long ], [ %head.last, %huge ]
  %streams = phi i1 [ false, %long ], [ %streaming, %huge ]
  %stream.from = phi i64 [ 0, %long ], [ %aligned, %huge ]
  br label %main
main:
  %main.i = phi i64 [ 0, %main.entry ], [ %main.i.next, %main ]
  %v75 = and i64 %main.i, %moves0
  %v76 = getelementptr float, ptr %p0.0, i64 %v75
  %v77 = load <16 x float>, ptr %v76, align 4
  %v78 = getelementptr float, ptr %v76, i64 16
  %v79 = load <16 x float>, ptr %v78, align 4
  %v80 = getelementptr float, ptr %v76, i64 32
  %v81 = load <16 x float>, ptr %v80, align 4
  %v82 = getelementptr float, ptr %v76, i64 48
  %v83 = load <16 x float>, ptr %v82, align 4
  %v84 = getelementptr float, ptr %v76, i64 64
  %v85 = load <16 x float>, ptr %v84, align 4
  %v86 = getelementptr float, ptr %v76, i64 80
  %v87 = load <16 x float>, ptr %v86, align 4
  %v88 = getelementptr float, ptr %v76, i64 96
  %v89 = load <16 x float>, ptr %v88, align 4
  %v90 = getelementptr float, ptr %v76, i64 112
  %v91 = load <16 x float>, ptr %v90, align 4
  %v92 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v77, <16 x float> %c0, <16 x float> %c1)
  %v93 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v79, <16 x float> %c0, <16 x float> %c1)
  %v94 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v81, <16 x float> %c0, <16 x float> %c1)
  %v95 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v83, <16 x float> %c0, <16 x float> %c1)
  %v96 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v85, <16 x float> %c0, <16 x float> %c1)
  %v97 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v87, <16 x float> %c0, <16 x float> %c1)
  %v98 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v89, <16 x float> %c0, <16 x float> %c1)
  %v99 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v91, <16 x float> %c0, <16 x float> %c1)
  %v100 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v92, <16 x float> %v77, <16 x float> %c0)
  %v101 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v93, <16 x float> %v79, <16 x float> %c0)
  %v102 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v94, <16 x float> %v81, <16 x float> %c0)
  %v103 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v95, <16 x float> %v83, <16 x float> %c0)
  %v104 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v96, <16 x float> %v85, <16 x float> %c0)
  %v105 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v97, <16 x float> %v87, <16 x float> %c0)
  %v106 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v98, <16 x float> %v89, <16 x float> %c0)
  %v107 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v99, <16 x float> %v91, <16 x float> %c0)
  %v108 = getelementptr float, ptr %p1.0, i64 %main.i
  store <16 x float> %v100, ptr %v108, align 4
  %v109 = getelementptr float, ptr %v108, i64 16
  store <16 x float> %v101, ptr %v109, align 4
  %v110 = getelementptr float, ptr %v108, i64 32
  store <16 x float> %v102, ptr %v110, align 4
  %v111 = getelementptr float, ptr %v108, i64 48
  store <16 x float> %v103, ptr %v111, align 4
  %v112 = getelementptr float, ptr %v108, i64 64
  store <16 x float> %v104, ptr %v112, align 4
  %v113 = getelementptr float, ptr %v108, i64 80
  store <16 x float> %v105, ptr %v113, align 4
  %v114 = getelementptr float, ptr %v108, i64 96
  store <16 x float> %v106, ptr %v114, align 4
  %v115 = getelementptr float, ptr %v108, i64 112
  store <16 x float> %v107, ptr %v115, align 4
  %main.i.next = add i64 %main.i, 128
  %v116 = icmp sgt i64 %main.i.next, %plain.last
  br i1 %v116, label %main.end, label %main, !llvm.loop !3
main.end:
  %stream.last = sub i64 %n, 64
  br i1 %streams, label %stream, label %vector.entry
stream:
  %stream.i = phi i64 [ %stream.from, %main.end ], [ %stream.i.next, %stream ]
  %v117 = and i64 %stream.i, %moves0
  %v118 = getelementptr float, ptr %p0.0, i64 %v117
  %v119 = getelementptr i8, ptr %v118, i64 4096
  call void @llvm.prefetch.p0(ptr %v119, i32 0, i32 3, i32 1)
  %v120 = getelementptr i8, ptr %v118, i64 4160
  call void @llvm.prefetch.p0(ptr %v120, i32 0, i32 3, i32 1)
  %v121 = getelementptr i8, ptr %v118, i64 4224
  call void @llvm.prefetch.p0(ptr %v121, i32 0, i32 3, i32 1)
  %v122 = getelementptr i8, ptr %v118, i64 4288
  call void @llvm.prefetch.p0(ptr %v122, i32 0, i32 3, i32 1)
  %v123 = load <16 x float>, ptr %v118, align 4
  %v124 = getelementptr float, ptr %v118, i64 16
  %v125 = load <16 x float>, ptr %v124, align 4
  %v126 = getelementptr float, ptr %v118, i64 32
  %v127 = load <16 x float>, ptr %v126, align 4
  %v128 = getelementptr float, ptr %v118, i64 48
  %v129 = load <16 x float>, ptr %v128, align 4
  %v130 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v123, <16 x float> %c0, <16 x float> %c1)
  %v131 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v125, <16 x float> %c0, <16 x float> %c1)
  %v132 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v127, <16 x float> %c0, <16 x float> %c1)
  %v133 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v129, <16 x float> %c0, <16 x float> %c1)
  %v134 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v130, <16 x float> %v123, <16 x float> %c0)
  %v135 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v131, <16 x float> %v125, <16 x float> %c0)
  %v136 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v132, <16 x float> %v127, <16 x float> %c0)
  %v137 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v133, <16 x float> %v129, <16 x float> %c0)
  %v138 = getelementptr float, ptr %p1.0, i64 %stream.i
  store <16 x float> %v134, ptr %v138, align 64, !nontemporal !1
  %v139 = getelementptr float, ptr %v138, i64 16
  store <16 x float> %v135, ptr %v139, align 64, !nontemporal !1
  %v140 = getelementptr float, ptr %v138, i64 32
  store <16 x float> %v136, ptr %v140, align 64, !nontemporal !1
  %v141 = getelementptr float, ptr %v138, i64 48
  store <16 x float> %v137, ptr %v141, align 64, !nontemporal !1
  %stream.i.next = add i64 %stream.i, 64
  %v142 = icmp sgt i64 %stream.i.next, %stream.last
  br i1 %v142, label %stream.end, label %stream, !llvm.loop !4
stream.end:
  call void @llvm.x86.sse.sfence()
  br label %vector.entry
vector.entry:
  %vector.from = phi i64 [ 0, %inner ], [ %fetching.i.next, %fetching ], [ %main.i.next, %main.end ], [ %stream.i.next, %stream.end ]
  %v143 = icmp sgt i64 %vector.from, %vector.last
  br i1 %v143, label %tail.entry, label %vector
vector:
  %vector.i = phi i64 [ %vector.from, %vector.entry ], [ %vector.i.next, %vector ]
  %v144 = and i64 %vector.i, %moves0
  %v145 = getelementptr float, ptr %p0.0, i64 %v144
  %v146 = load <16 x float>, ptr %v145, align 4
  %v147 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v146, <16 x float> %c0, <16 x float> %c1)
  %v148 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v147, <16 x float> %v146, <16 x float> %c0)
  %v149 = getelementptr float, ptr %p1.0, i64 %vector.i
  store <16 x float> %v148, ptr %v149, align 4
  %vector.i.next = add i64 %vector.i, 16
  %v150 = icmp sgt i64 %vector.i.next, %vector.last
  br i1 %v150, label %tail.entry, label %vector, !llvm.loop !5
tail.entry:
  %tail.from = phi i64 [ %vector.from, %vector.entry ], [ %vector.i.next, %vector ]
  %tail.left = sub i64 %n, %tail.from
  %v151 = icmp eq i64 %tail.left, 0
  br i1 %v151, label %exit, label %tail
tail:
  %v152 = trunc i64 %tail.left to i32
  %v153 = insertelement <16 x i32> poison, i32 %v152, i64 0
  %v154 = shufflevector <16 x i32> %v153, <16 x i32> poison, <16 x i32> zeroinitializer
  %v155 = icmp ult <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>, %v154
  %v156 = and i64 %tail.from, %moves0
  %v157 = getelementptr float, ptr %p0.0, i64 %v156
  %v158 = call <16 x float> @llvm.masked.load.v16f32.p0(ptr %v157, i32 4, <16 x i1> %v155, <16 x float> zeroinitializer)
  %v159 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v158, <16 x float> %c0, <16 x float> %c1)
  %v160 = call <16 x float> @llvm.fma.v16f32(<16 x float> %v159, <16 x float> %v158, <16 x float> %c0)
  %v161 = getelementptr float, ptr %p1.0, i64 %tail.from
  call void @llvm.masked.store.v16f32.p0(<16 x float> %v160, ptr %v161, i32 4, <16 x i1> %v155)
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
  %v17 = getelementptr float, ptr %buffer0, i64 96
  store <16 x float> %v11, ptr %v17, align 4
  %v18 = getelementptr float, ptr %buffer0, i64 112
  store <16 x float> %v11, ptr %v18, align 4
  br label %filled0
filled0:
  br label %chunk
chunk:
  %chunk.left = phi i64 [ %n, %filled0 ], [ %chunk.left.next, %chunk.next ]
  %q0 = phi ptr [ %p0.0, %filled0 ], [ %q0.next, %chunk.next ]
  %q1 = phi ptr [ %p1.0, %filled0 ], [ %q1.next, %chunk.next ]
  %chunk.n = call i64 @llvm.umin.i64(i64 %chunk.left, i64 %chunk.limit)
  %v19 = getelementptr i64, ptr %chunk.counts, i64 0
  store i64 %chunk.n, ptr %v19, align 8
  %v20 = select i1 %unit0, ptr %q0, ptr %buffer0
  %v21 = getelementptr i64, ptr %chunk.data, i64 0
  store ptr %v20, ptr %v21, align 8
  br i1 %plain0, label %packed0, label %pack0
pack0:
  %v22 = mul i64 %s0.0, 4
  call void @pack32(ptr %buffer0, ptr %q0, i64 %s0.0, i64 %chunk.n, i64 %v22)
  br label %packed0
packed0:
  %v23 = select i1 %unit1, ptr %q1, ptr %buffer1
  %v24 = getelementptr i64, ptr %chunk.data, i64 1
  store ptr %v23, ptr %v24, align 8
  call i32 @contiguous(ptr %chunk.args)
  br i1 %plain1, label %unpacked1, label %unpack1
unpack1:
  %v25 = mul i64 %s1.0, 4
  call void @unpack32(ptr %buffer1, ptr %q1, i64 %s1.0, i64 %chunk.n, i64 %v25)
  br label %unpacked1
unpacked1:
  br label %chunk.next
chunk.next:
  %chunk.left.next = sub i64 %chunk.left, %chunk.n
  %v26 = mul i64 %chunk.n, %s0.0
  %q0.next = getelementptr i8, ptr %q0, i64 %v26
  %v27 = mul i64 %chunk.n, %s1.0
  %q1.next = getelementptr i8, ptr %q1, i64 %v27
  %v28 = icmp eq i64 %chunk.left.next, 0
  br i1 %v28, label %exit, label %chunk, !llvm.loop !6
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
