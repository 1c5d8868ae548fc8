; Address spaces, atomics, barriers, vectors and globals as LLVM's NVPTX backend writes them.
; Makes llc emit: cvta, shared and constant arrays, atom and red of all widths, compare-and-swap loops, vector loads and
; stores, local depots, initialised globals with addresses of others, volatile accesses, fences, shuffles, votes, wmma.
; targets: sm_75 sm_80 sm_86

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%pair = type { i32, float, [2 x i16] }

@tile = internal addrspace(3) global [256 x float] undef, align 16
@flags = internal addrspace(3) global [8 x i8] undef, align 4
@weights = addrspace(4) constant [4 x float] [float 1.0, float 2.5, float -3.0, float 0.0], align 16
@counter = addrspace(1) global i32 0, align 4
@names = addrspace(1) constant [6 x i8] c"hello\00"
@record = addrspace(1) global %pair { i32 7, float 1.0, [2 x i16] [i16 1, i16 -1] }, align 8
@link = addrspace(1) global i32 addrspace(1)* @counter, align 8
@outside = external addrspace(1) global [16 x i32], align 4
@dynamic = external addrspace(3) global [0 x i8], align 16

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
declare void @llvm.nvvm.barrier0()
declare void @llvm.nvvm.barrier.sync.cnt(i32, i32)
declare i32 @llvm.nvvm.barrier0.popc(i32)
declare void @llvm.nvvm.membar.gl()
declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)
declare { float, i1 } @llvm.nvvm.shfl.sync.bfly.f32p(i32, float, i32, i32)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare float @llvm.nvvm.ldg.global.f.f32.p1f32(float addrspace(1)*, i32)
declare i32 @llvm.nvvm.atomic.load.inc.32.p1i32(i32 addrspace(1)*, i32)
declare void @llvm.memcpy.p0i8.p1i8.i64(i8*, i8 addrspace(1)*, i64, i1)

define void @reduce(float addrspace(1)* %in, float addrspace(1)* %out, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %wide = zext i32 %tid to i64
  %from = getelementptr float, float addrspace(1)* %in, i64 %wide
  %value = call float @llvm.nvvm.ldg.global.f.f32.p1f32(float addrspace(1)* %from, i32 4)
  %slot = getelementptr [256 x float], [256 x float] addrspace(3)* @tile, i32 0, i32 %tid
  store float %value, float addrspace(3)* %slot
  call void @llvm.nvvm.barrier0()
  br label %loop
loop:
  %stride = phi i32 [ 128, %entry ], [ %half, %join ]
  %active = icmp ult i32 %tid, %stride
  br i1 %active, label %add, label %join
add:
  %other = add i32 %tid, %stride
  %place = getelementptr [256 x float], [256 x float] addrspace(3)* @tile, i32 0, i32 %other
  %theirs = load float, float addrspace(3)* %place
  %mine = load float, float addrspace(3)* %slot
  %sum = fadd float %theirs, %mine
  store float %sum, float addrspace(3)* %slot
  br label %join
join:
  call void @llvm.nvvm.barrier0()
  %half = lshr i32 %stride, 1
  %more = icmp ne i32 %half, 0
  br i1 %more, label %loop, label %finish
finish:
  %first = icmp eq i32 %tid, 0
  br i1 %first, label %write, label %done
write:
  %begin = getelementptr [256 x float], [256 x float] addrspace(3)* @tile, i32 0, i32 0
  %total = load float, float addrspace(3)* %begin
  %w = load float, float addrspace(4)* getelementptr ([4 x float], [4 x float] addrspace(4)* @weights, i32 0, i32 2)
  %scaled = fmul float %total, %w
  store float %scaled, float addrspace(1)* %out
  br label %done
done:
  ret void
}

define void @atomics(i32 addrspace(1)* %p, i64 addrspace(1)* %q, float addrspace(1)* %f, i32* %g, i32 addrspace(3)* %s) {
  %a = atomicrmw add i32 addrspace(1)* %p, i32 1 seq_cst
  %b = atomicrmw max i32 addrspace(1)* %p, i32 %a seq_cst
  %c = atomicrmw umin i64 addrspace(1)* %q, i64 17 seq_cst
  %d = atomicrmw xchg i64 addrspace(1)* %q, i64 %c seq_cst
  %e = atomicrmw and i32* %g, i32 %b seq_cst
  %h = atomicrmw or i32 addrspace(3)* %s, i32 %e seq_cst
  %i = atomicrmw fadd float addrspace(1)* %f, float 1.0 seq_cst
  %pair = cmpxchg i32 addrspace(1)* %p, i32 %h, i32 5 seq_cst seq_cst
  %old = extractvalue { i32, i1 } %pair, 0
  %j = atomicrmw sub i32* %g, i32 %old seq_cst
  %k = call i32 @llvm.nvvm.atomic.load.inc.32.p1i32(i32 addrspace(1)* @counter, i32 %j)
  %big = cmpxchg i64 addrspace(1)* %q, i64 %d, i64 0 seq_cst seq_cst
  call void @llvm.nvvm.membar.gl()
  store volatile i32 %k, i32 addrspace(1)* getelementptr ([16 x i32], [16 x i32] addrspace(1)* @outside, i64 0, i64 3)
  store float %i, float addrspace(1)* %f
  ret void
}

define void @vectors(<4 x float> addrspace(1)* %a, <2 x i64> addrspace(1)* %b, <4 x i8>* %c, <2 x double> addrspace(3)* %d) {
  %v = load <4 x float>, <4 x float> addrspace(1)* %a
  %w = fmul <4 x float> %v, %v
  store <4 x float> %w, <4 x float> addrspace(1)* %a
  %x = load <2 x i64>, <2 x i64> addrspace(1)* %b
  %y = add <2 x i64> %x, <i64 1, i64 -1>
  store <2 x i64> %y, <2 x i64> addrspace(1)* %b
  %m = load <4 x i8>, <4 x i8>* %c
  %n = xor <4 x i8> %m, <i8 1, i8 2, i8 3, i8 4>
  store <4 x i8> %n, <4 x i8>* %c
  %o = load <2 x double>, <2 x double> addrspace(3)* %d
  %p = fadd <2 x double> %o, %o
  store <2 x double> %p, <2 x double> addrspace(3)* %d
  ret void
}

define void @warp(i32* %out, i1 %flag) {
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %a = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %lane, i32 16, i32 31)
  %pair = call { float, i1 } @llvm.nvvm.shfl.sync.bfly.f32p(i32 -1, float 1.0, i32 1, i32 31)
  %f = extractvalue { float, i1 } %pair, 0
  %ok = extractvalue { float, i1 } %pair, 1
  %b = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %flag)
  %c = call i32 @llvm.nvvm.barrier0.popc(i32 %b)
  call void @llvm.nvvm.barrier.sync.cnt(i32 1, i32 64)
  %i = fptosi float %f to i32
  %s = select i1 %ok, i32 %i, i32 %c
  %t = add i32 %s, %a
  store i32 %t, i32* %out
  ret void
}

define i32 @locals(i32 %n) {
  %array = alloca [32 x i32], align 8
  %copy = alloca %pair, align 8
  %at = getelementptr [32 x i32], [32 x i32]* %array, i32 0, i32 %n
  store volatile i32 %n, i32* %at
  %bytes = bitcast %pair* %copy to i8*
  %from = bitcast %pair addrspace(1)* @record to i8 addrspace(1)*
  call void @llvm.memcpy.p0i8.p1i8.i64(i8* align 8 %bytes, i8 addrspace(1)* align 8 %from, i64 12, i1 false)
  %field = getelementptr %pair, %pair* %copy, i32 0, i32 2, i32 1
  %short = load volatile i16, i16* %field
  %wide = sext i16 %short to i32
  %back = load volatile i32, i32* %at
  %dyn = addrspacecast [0 x i8] addrspace(3)* @dynamic to [0 x i8]*
  %byte = getelementptr [0 x i8], [0 x i8]* %dyn, i32 0, i32 %n
  %b = load volatile i8, i8* %byte
  %bw = zext i8 %b to i32
  %r = add i32 %wide, %back
  %r2 = add i32 %r, %bw
  ret i32 %r2
}

!nvvm.annotations = !{!0, !1, !2, !3}
!0 = !{void (float addrspace(1)*, float addrspace(1)*, i32)* @reduce, !"kernel", i32 1, !"maxntidx", i32 256, !"minctasm", i32 2}
!1 = !{void (i32 addrspace(1)*, i64 addrspace(1)*, float addrspace(1)*, i32*, i32 addrspace(3)*)* @atomics, !"kernel", i32 1}
!2 = !{void (<4 x float> addrspace(1)*, <2 x i64> addrspace(1)*, <4 x i8>*, <2 x double> addrspace(3)*)* @vectors, !"kernel", i32 1, !"reqntidx", i32 32, !"reqntidy", i32 4}
!3 = !{void (i32*, i1)* @warp, !"kernel", i32 1}
