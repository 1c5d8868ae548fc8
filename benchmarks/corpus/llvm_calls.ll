; Calls, by-value structures, switches, function pointers and debug information as LLVM's NVPTX backend writes them.
; Makes llc emit: call sequences with param space, byval parameters, callprototype for indirect calls, vprintf with its
; buffer, recursion, weak functions, switches as compare chains, loops, .file and .loc, DWARF sections, textures.
; targets: sm_75 sm_80 sm_86

target datalayout = "e-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%point = type { float, float, float, i64 }
%small = type { i32, i8 }

@format = private unnamed_addr constant [13 x i8] c"%d of %f: %s\00", align 1
@table = addrspace(1) global [2 x i32 (i32)*] [i32 (i32)* @twice, i32 (i32)* @fib], align 8

declare i32 @vprintf(i8*, i8*)
declare i8* @malloc(i64)
declare void @free(i8*)
declare %point @external(%point* byval(%point) align 8, i32, double)
declare { float, float, float, float } @llvm.nvvm.tex.unified.2d.v4f32.f32(i64, float, float)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define i32 @twice(i32 %x) noinline {
  %y = shl i32 %x, 1
  ret i32 %y
}

define i32 @fib(i32 %n) noinline !dbg !10 {
entry:
  %small = icmp slt i32 %n, 2, !dbg !13
  br i1 %small, label %one, label %more, !dbg !13
one:
  ret i32 %n, !dbg !14
more:
  %a = sub i32 %n, 1, !dbg !15
  %b = sub i32 %n, 2, !dbg !15
  %x = call i32 @fib(i32 %a), !dbg !15
  %y = call i32 @fib(i32 %b), !dbg !16
  %z = add i32 %x, %y, !dbg !16
  ret i32 %z, !dbg !16
}

define weak float @length(%point* byval(%point) align 8 %p) noinline {
  %xp = getelementptr %point, %point* %p, i32 0, i32 0
  %yp = getelementptr %point, %point* %p, i32 0, i32 1
  %x = load float, float* %xp
  %y = load float, float* %yp
  %a = fmul float %x, %x
  %b = fmul float %y, %y
  %c = fadd float %a, %b
  ret float %c
}

define %small @make(i32 %a, i8 signext %b) noinline {
  %s = insertvalue %small undef, i32 %a, 0
  %t = insertvalue %small %s, i8 %b, 1
  ret %small %t
}

define i32 @choose(i32 %what, i32 %x) {
entry:
  switch i32 %what, label %other [ i32 0, label %zero
                                   i32 1, label %one
                                   i32 2, label %two
                                   i32 3, label %three
                                   i32 7, label %seven ]
zero:
  ret i32 5
one:
  %a = add i32 %x, 1
  br label %join
two:
  %b = mul i32 %x, %x
  br label %join
three:
  %c = sdiv i32 %x, 3
  br label %join
seven:
  %d = call i32 @twice(i32 %x)
  br label %join
other:
  unreachable
join:
  %r = phi i32 [ %a, %one ], [ %b, %two ], [ %c, %three ], [ %d, %seven ]
  ret i32 %r
}

define void @indirect(i32* %out, i32 %which) {
  %slot = getelementptr [2 x i32 (i32)*], [2 x i32 (i32)*] addrspace(1)* @table, i32 0, i32 %which
  %f = load i32 (i32)*, i32 (i32)* addrspace(1)* %slot
  %r = call i32 %f(i32 9)
  %s = call %small @make(i32 %r, i8 3)
  %t = extractvalue %small %s, 0
  store i32 %t, i32* %out
  ret void
}

define void @kernel(%point* byval(%point) align 8 %p, float* %out, i64 %texture) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %len = call float @length(%point* byval(%point) align 8 %p)
  %copy = alloca %point, align 8
  %v = load %point, %point* %p
  store %point %v, %point* %copy
  %q = call %point @external(%point* byval(%point) align 8 %copy, i32 3, double 1.5)
  %z = extractvalue %point %q, 3
  %buffer = alloca { i32, double, i8* }, align 8
  %f0 = getelementptr { i32, double, i8* }, { i32, double, i8* }* %buffer, i32 0, i32 0
  store i32 %tid, i32* %f0
  %f1 = getelementptr { i32, double, i8* }, { i32, double, i8* }* %buffer, i32 0, i32 1
  %wide = fpext float %len to double
  store double %wide, double* %f1
  %raw = bitcast { i32, double, i8* }* %buffer to i8*
  %n = call i32 @vprintf(i8* getelementptr ([13 x i8], [13 x i8]* @format, i64 0, i64 0), i8* %raw)
  %m = call i8* @malloc(i64 %z)
  call void @free(i8* %m)
  %fl = sitofp i32 %n to float
  %tex = call { float, float, float, float } @llvm.nvvm.tex.unified.2d.v4f32.f32(i64 %texture, float %fl, float %len)
  %red = extractvalue { float, float, float, float } %tex, 0
  %blue = extractvalue { float, float, float, float } %tex, 2
  %sum = fadd float %red, %blue
  store float %sum, float* %out
  ret void
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!3, !4}
!nvvm.annotations = !{!20, !21}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, producer: "hand", isOptimized: false, runtimeVersion: 0, emissionKind: FullDebug, enums: !2)
!1 = !DIFile(filename: "calls.c", directory: "")
!2 = !{}
!3 = !{i32 2, !"Dwarf Version", i32 2}
!4 = !{i32 2, !"Debug Info Version", i32 3}
!10 = distinct !DISubprogram(name: "fib", scope: !1, file: !1, line: 3, type: !11, scopeLine: 3, spFlags: DISPFlagDefinition, unit: !0, retainedNodes: !2)
!11 = !DISubroutineType(types: !12)
!12 = !{!17, !17}
!13 = !DILocation(line: 4, column: 7, scope: !10)
!14 = !DILocation(line: 4, column: 14, scope: !10)
!15 = !DILocation(line: 5, column: 10, scope: !10)
!16 = !DILocation(line: 5, column: 21, scope: !10)
!17 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!20 = !{void (i32*, i32)* @indirect, !"kernel", i32 1}
!21 = !{void (%point*, float*, i64)* @kernel, !"kernel", i32 1}
