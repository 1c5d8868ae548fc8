; Float, double and integer arithmetic as LLVM's NVPTX backend writes it.
; Makes llc emit: fma and division in both widths, min and max, conversions with saturation, wide and 128-bit integer
; arithmetic, shifts, rotations, bit fields, select, setp with all comparisons, half vectors, approximations.
; targets: sm_75 sm_80 sm_86

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare float @llvm.fma.f32(float, float, float)
declare double @llvm.fma.f64(double, double, double)
declare float @llvm.sqrt.f32(float)
declare double @llvm.sqrt.f64(double)
declare float @llvm.minnum.f32(float, float)
declare double @llvm.maxnum.f64(double, double)
declare float @llvm.fabs.f32(float)
declare double @llvm.floor.f64(double)
declare float @llvm.ceil.f32(float)
declare double @llvm.trunc.f64(double)
declare float @llvm.rint.f32(float)
declare float @llvm.nvvm.sin.approx.f(float)
declare i32 @llvm.ctpop.i32(i32)
declare i64 @llvm.ctlz.i64(i64, i1)
declare i32 @llvm.cttz.i32(i32, i1)
declare i32 @llvm.fshl.i32(i32, i32, i32)
declare i64 @llvm.fshr.i64(i64, i64, i64)
declare i32 @llvm.bswap.i32(i32)
declare i32 @llvm.bitreverse.i32(i32)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare float @llvm.nvvm.rcp.rn.ftz.f(float)
declare double @llvm.nvvm.add.rm.d(double, double)
declare float @llvm.nvvm.div.approx.f(float, float)
declare i32 @llvm.nvvm.mulhi.i(i32, i32)
declare i32 @llvm.nvvm.mul24.i(i32, i32)
declare i32 @llvm.nvvm.prmt(i32, i32, i32)
declare i32 @llvm.nvvm.sad.i(i32, i32, i32)

define void @floats(float* %in, float* %out, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ntid = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %cta = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %base = mul i32 %cta, %ntid
  %i = add i32 %base, %tid
  %inside = icmp slt i32 %i, %n
  br i1 %inside, label %work, label %done
work:
  %wide = sext i32 %i to i64
  %source = getelementptr float, float* %in, i64 %wide
  %a = load float, float* %source
  %next = getelementptr float, float* %source, i64 1
  %b = load float, float* %next
  %c = call float @llvm.fma.f32(float %a, float %b, float 1.5)
  %d = fdiv float %c, %b
  %e = call float @llvm.sqrt.f32(float %d)
  %f = call float @llvm.minnum.f32(float %e, float %a)
  %g = call float @llvm.fabs.f32(float %f)
  %h = call float @llvm.ceil.f32(float %g)
  %j = call float @llvm.rint.f32(float %h)
  %k = call float @llvm.nvvm.rcp.rn.ftz.f(float %j)
  %l = call float @llvm.nvvm.div.approx.f(float %k, float %a)
  %s = call float @llvm.nvvm.sin.approx.f(float %l)
  %cmp = fcmp ult float %s, %b
  %cmp2 = fcmp une float %s, 0.0
  %both = and i1 %cmp, %cmp2
  %m = select i1 %both, float %s, float %b
  %integer = fptosi float %m to i32
  %unsigned = fptoui float %m to i64
  %back = uitofp i64 %unsigned to float
  %sum = fadd float %back, %m
  %neg = fneg float %sum
  %o = sitofp i32 %integer to float
  %p = fsub float %neg, %o
  %target = getelementptr float, float* %out, i64 %wide
  store float %p, float* %target
  br label %done
done:
  ret void
}

define void @doubles(double* %in, double addrspace(1)* %out) {
  %a = load double, double* %in
  %next = getelementptr double, double* %in, i64 3
  %b = load double, double* %next
  %c = call double @llvm.fma.f64(double %a, double %b, double 0x400921FB54442D18)
  %d = fdiv double %c, %b
  %e = call double @llvm.sqrt.f64(double %d)
  %f = call double @llvm.maxnum.f64(double %e, double %a)
  %g = call double @llvm.floor.f64(double %f)
  %h = call double @llvm.trunc.f64(double %g)
  %i = call double @llvm.nvvm.add.rm.d(double %h, double %a)
  %narrow = fptrunc double %i to float
  %wide = fpext float %narrow to double
  %long = fptosi double %wide to i64
  %back = sitofp i64 %long to double
  %cmp = fcmp oge double %back, %a
  %r = select i1 %cmp, double %back, double 1.0
  store volatile double %r, double addrspace(1)* %out
  ret void
}

define i64 @integers(i32 %a, i32 %b, i64 %c, i16 %d, i8 %e) {
  %pop = call i32 @llvm.ctpop.i32(i32 %a)
  %clz = call i64 @llvm.ctlz.i64(i64 %c, i1 false)
  %ctz = call i32 @llvm.cttz.i32(i32 %b, i1 true)
  %rot = call i32 @llvm.fshl.i32(i32 %a, i32 %b, i32 7)
  %rot64 = call i64 @llvm.fshr.i64(i64 %c, i64 %c, i64 13)
  %swap = call i32 @llvm.bswap.i32(i32 %rot)
  %rev = call i32 @llvm.bitreverse.i32(i32 %swap)
  %hi = call i32 @llvm.nvvm.mulhi.i(i32 %rev, i32 %pop)
  %m24 = call i32 @llvm.nvvm.mul24.i(i32 %hi, i32 %ctz)
  %perm = call i32 @llvm.nvvm.prmt(i32 %m24, i32 %a, i32 30258)
  %sad = call i32 @llvm.nvvm.sad.i(i32 %perm, i32 %b, i32 %a)
  %x = udiv i32 %sad, 7
  %y = srem i32 %x, %b
  %z = ashr i32 %y, 3
  %field = lshr i32 %z, 5
  %masked = and i32 %field, 255
  %or = or i32 %masked, %a
  %not = xor i32 %or, -1
  %wa = sext i32 %not to i64
  %wb = zext i16 %d to i64
  %wc = sext i8 %e to i64
  %prod = mul i64 %wa, %wb
  %mad = add i64 %prod, %wc
  %cmp = icmp ugt i64 %mad, %rot64
  %sel = select i1 %cmp, i64 %mad, i64 %clz
  %tr = trunc i64 %sel to i16
  %sh = shl i16 %tr, 2
  %ex = zext i16 %sh to i64
  %r = sub i64 %ex, %c
  ret i64 %r
}

define i128 @wide(i128 %a, i128 %b, i64 %c) {
  %sum = add i128 %a, %b
  %w = zext i64 %c to i128
  %p = mul i128 %sum, %w
  %s = lshr i128 %p, 40
  %d = sub i128 %s, %b
  ret i128 %d
}

define half @halves(half %a, half %b) {
  %s = fadd half %a, %b
  %p = fmul half %s, 0xH3800
  %w = fpext half %p to float
  %n = fptrunc float %w to half
  %c = fcmp olt half %n, %b
  %r = select i1 %c, half %n, half %a
  ret half %r
}

define <2 x half> @packed(<2 x half> %a, <2 x half> %b) {
  %s = fadd <2 x half> %a, %b
  %x = extractelement <2 x half> %s, i32 1
  %y = insertelement <2 x half> %s, half %x, i32 0
  %p = fmul <2 x half> %y, %b
  ret <2 x half> %p
}

!nvvm.annotations = !{!0, !1}
!0 = !{void (float*, float*, i32)* @floats, !"kernel", i32 1}
!1 = !{void (double*, double addrspace(1)*)* @doubles, !"kernel", i32 1}
