; y[i] = x[i]*2 over float, any strides. args = { ptr data[2], ptr count[1], ptr stride[2] }
define i32 @yolk_kernel(ptr nocapture readonly %args) #0 {
entry:
  %data = load ptr, ptr %args, align 8
  %args1 = getelementptr i8, ptr %args, i64 8
  %count = load ptr, ptr %args1, align 8
  %args2 = getelementptr i8, ptr %args, i64 16
  %stride = load ptr, ptr %args2, align 8
  %x0 = load ptr, ptr %data, align 8
  %data1 = getelementptr i8, ptr %data, i64 8
  %y0 = load ptr, ptr %data1, align 8
  %n = load i64, ptr %count, align 8
  %xs = load i64, ptr %stride, align 8
  %stride1 = getelementptr i8, ptr %stride, i64 8
  %ys = load i64, ptr %stride1, align 8
  %any = icmp sgt i64 %n, 0
  br i1 %any, label %loop, label %done

loop:
  %i = phi i64 [ 0, %entry ], [ %i.next, %loop ]
  %x = phi ptr [ %x0, %entry ], [ %x.next, %loop ]
  %y = phi ptr [ %y0, %entry ], [ %y.next, %loop ]
  %v = load float, ptr %x, align 4
  %w = fmul float %v, 2.0
  store float %w, ptr %y, align 4
  %x.next = getelementptr i8, ptr %x, i64 %xs
  %y.next = getelementptr i8, ptr %y, i64 %ys
  %i.next = add i64 %i, 1
  %more = icmp slt i64 %i.next, %n
  br i1 %more, label %loop, label %done

done:
  ret i32 0
}

attributes #0 = { nounwind "no-builtins" }
