;;; ptx-words.el --- The words of PTX  -*- lexical-binding: t; -*-

;; Copyright (C) 2026 The authors of ptx-lsp
;; SPDX-License-Identifier: Apache-2.0

;;; Commentary:

;; Made by "python -m editors.generate" of the grammar of ptx-lsp; do not edit.
;; A `#' in a word stands for any number.

;;; Code:

(defconst ptx-words-opcodes
  '("abs" "activemask" "add" "addc" "alloca" "and" "applypriority" "applypriority.async.bulk"
    "applypriority.async.bulk.tensor" "atom" "bar" "bar.arrive" "bar.cta.arrive" "bar.cta.red"
    "bar.cta.sync" "bar.red" "bar.sync" "bar.warp.sync" "barrier" "barrier.arrive"
    "barrier.cluster.arrive" "barrier.cluster.wait" "barrier.cta" "barrier.cta.arrive"
    "barrier.cta.red" "barrier.red" "bfe" "bfi" "bfind" "bmsk" "bra" "brev" "brkpt" "brx" "brx.idx"
    "call" "clmad" "clmad.hi" "clmad.lo" "clusterlaunchcontrol" "clusterlaunchcontrol.query_cancel"
    "clusterlaunchcontrol.try_cancel.async" "clz" "cnot" "copysign" "cos" "cp" "cp.async"
    "cp.async.bulk" "cp.async.bulk.commit_group" "cp.async.bulk.prefetch"
    "cp.async.bulk.prefetch.tensor" "cp.async.bulk.tensor" "cp.async.bulk.wait_group"
    "cp.async.commit_group" "cp.async.mbarrier.arrive" "cp.async.wait_all" "cp.async.wait_group"
    "cp.reduce.async.bulk" "cp.reduce.async.bulk.tensor" "createpolicy" "createpolicy.cvt"
    "createpolicy.fractional" "createpolicy.range" "cvt" "cvt.pack" "cvta" "cvta.to" "discard" "div"
    "div.full" "dp2a" "dp2a.hi" "dp2a.lo" "dp4a" "elect" "elect.sync" "ex2" "exit" "fabric"
    "fabric.submit" "fabric.submit.commit_group" "fabric.try_get.async" "fabric.try_pullred.async"
    "fabric.try_put.async" "fabric.try_red.async" "fabric.wait" "fence" "fence.proxy" "fma" "fns"
    "getctarank" "griddepcontrol" "isspacep" "istypep" "ld" "ldmatrix" "ldu" "lg2" "lop3" "mad"
    "mad.hi" "mad.lo" "mad.wide" "mad24" "mad24.hi" "mad24.lo" "madc" "madc.hi" "madc.lo" "mapa"
    "match" "match.all" "match.any" "max" "mbarrier" "mbarrier.arrive" "mbarrier.arrive.expect_tx"
    "mbarrier.arrive_drop" "mbarrier.arrive_drop.expect_tx" "mbarrier.check_layout"
    "mbarrier.complete_tx" "mbarrier.expect_tx" "mbarrier.init" "mbarrier.inval"
    "mbarrier.pending_count" "mbarrier.test_wait" "mbarrier.test_wait.parity" "mbarrier.try_wait"
    "mbarrier.try_wait.parity" "membar" "membar.proxy" "min" "mma" "mma.sp"
    "mma.sp::ordered_metadata" "mov" "movmatrix" "mul" "mul.hi" "mul.lo" "mul.wide" "mul24"
    "mul24.hi" "mul24.lo" "multimem" "multimem.cp.async.bulk" "multimem.cp.reduce.async.bulk"
    "multimem.ld_reduce" "multimem.red" "multimem.red.async" "multimem.st" "multimem.st.async"
    "nanosleep" "neg" "not" "or" "pmevent" "popc" "prefetch" "prefetchu" "prmt" "rcp" "red"
    "red.async" "redux" "rem" "ret" "rsqrt" "sad" "selp" "set" "setmaxnreg" "setmaxnreg.dec"
    "setmaxnreg.inc" "setp" "shf" "shf.l" "shf.r" "shfl" "shl" "shr" "sin" "slct" "spcompress"
    "spdecompress" "sqrt" "st" "st.async" "st.bulk" "stackrestore" "stacksave" "stmatrix" "sub"
    "subc" "suld" "suld.b" "suq" "sured" "sured.b" "sured.p" "sust" "sust.b" "sust.p" "szext" "tanh"
    "tcgen05" "tcgen05.alloc" "tcgen05.commit" "tcgen05.cp" "tcgen05.dealloc"
    "tcgen05.fence::after_thread_sync" "tcgen05.fence::before_thread_sync" "tcgen05.ld"
    "tcgen05.ld.red" "tcgen05.ld.red.spcompress" "tcgen05.ld.spcompress" "tcgen05.mma"
    "tcgen05.mma.sp" "tcgen05.mma.ws" "tcgen05.mma.ws.sp" "tcgen05.relinquish_alloc_permit"
    "tcgen05.shift" "tcgen05.st" "tcgen05.wait::ld" "tcgen05.wait::st" "tensormap"
    "tensormap.cp_fenceproxy" "tensormap.replace" "testp" "tex" "tex.base" "tex.grad" "tex.level"
    "tld4" "trap" "txq" "txq.level" "vabsdiff" "vabsdiff2" "vabsdiff4" "vadd" "vadd2" "vadd4"
    "vavrg2" "vavrg4" "vmad" "vmax" "vmax2" "vmax4" "vmin" "vmin2" "vmin4" "vote" "vset" "vset2"
    "vset4" "vshl" "vshr" "vsub" "vsub2" "vsub4" "wgmma" "wgmma.commit_group" "wgmma.fence"
    "wgmma.mma_async" "wgmma.mma_async.sp" "wgmma.wait_group" "wmma" "wmma.load.a" "wmma.load.b"
    "wmma.load.c" "wmma.mma" "wmma.store.d" "xor")
  "The names of all instructions with all their parts.")

(defconst ptx-words-name-parts
  '(".a" ".all" ".alloc" ".any" ".approx" ".arrive" ".arrive_drop" ".async" ".b" ".base" ".bulk"
    ".c" ".cc" ".check_layout" ".cluster" ".commit" ".commit_group" ".complete_tx" ".cp"
    ".cp_fenceproxy" ".cta" ".cvt" ".d" ".dealloc" ".dec" ".expect_tx" ".f64" ".fence"
    ".fence::after_thread_sync" ".fence::before_thread_sync" ".fractional" ".ftz" ".full" ".global"
    ".grad" ".hi" ".idx" ".inc" ".init" ".inval" ".l" ".ld" ".ld_reduce" ".level" ".lo" ".load"
    ".mbarrier" ".mma" ".mma_async" ".nc" ".p" ".pack" ".parity" ".pending_count" ".prefetch"
    ".proxy" ".query_cancel" ".r" ".range" ".red" ".reduce" ".relinquish_alloc_permit" ".replace"
    ".shift" ".sp" ".sp::ordered_metadata" ".spcompress" ".st" ".store" ".submit" ".sync" ".tensor"
    ".test_wait" ".to" ".try_atom" ".try_cancel" ".try_get" ".try_pullred" ".try_put" ".try_red"
    ".try_wait" ".wait" ".wait::ld" ".wait::st" ".wait_all" ".wait_group" ".warp" ".wide" ".ws")
  "The further words of these names.")

(defconst ptx-words-qualifiers
  '(".#d" ".#dms" ".#x#b" ".#x#bx#" ".L#" ".L#::#B" ".L#::cache_hint" ".L#::evict_first"
    ".L#::evict_last" ".L#::evict_normal" ".L#::evict_unchanged" ".L#::no_allocate" ".NaN" ".a"
    ".a#d" ".a#dms" ".abs" ".acc::f16" ".acc::f32" ".acq_rel" ".acquire" ".acube" ".add"
    ".addr_mode_0" ".addr_mode_1" ".addr_mode_2" ".alias" ".aligned" ".all" ".alloc" ".and" ".any"
    ".approx" ".array_size" ".arrive" ".arrive_drop" ".ashift" ".async" ".async::generic" ".b"
    ".b1024" ".b2" ".b4" ".b4e" ".ballot" ".base" ".bfly" ".block16" ".block32" ".block_scale"
    ".box_dim" ".bulk" ".bulk_group" ".c" ".ca" ".cas" ".cc" ".cg" ".channel_data_type"
    ".channel_order" ".check_layout" ".clamp" ".cluster" ".col" ".collector::a::discard"
    ".collector::a::fill" ".collector::a::lastuse" ".collector::a::use" ".collector::b0::discard"
    ".collector::b0::fill" ".collector::b0::lastuse" ".collector::b0::use" ".collector::b1::discard"
    ".collector::b1::fill" ".collector::b1::lastuse" ".collector::b1::use" ".collector::b2::discard"
    ".collector::b2::fill" ".collector::b2::lastuse" ".collector::b2::use" ".collector::b3::discard"
    ".collector::b3::fill" ".collector::b3::lastuse" ".collector::b3::use" ".collector::b::discard"
    ".collector::b::fill" ".collector::b::lastuse" ".collector::b::use" ".commit" ".commit_group"
    ".complete_tx" ".counted::bytes" ".cp" ".cp_fenceproxy" ".cp_mask" ".cs" ".cta" ".cta_group::1"
    ".cta_group::2" ".cube" ".cv" ".cvt" ".d" ".dealloc" ".dec" ".decompress::lut::b" ".depth"
    ".down" ".ecl" ".ecr" ".element_stride" ".elemtype" ".eq" ".equ" ".exch" ".exclusive"
    ".expect_tx" ".f4e" ".fabric::fabric" ".fabric::generic" ".fence" ".fence::after_thread_sync"
    ".fence::before_thread_sync" ".fill_mode" ".filter_mode" ".finite" ".force_unnormalized_coords"
    ".fractional" ".ftz" ".full" ".g" ".ge" ".generic::fabric" ".get_first_ctaid"
    ".get_first_ctaid::x" ".get_first_ctaid::y" ".get_first_ctaid::z" ".geu" ".gl" ".global_address"
    ".global_dim" ".global_stride" ".gpu" ".grad" ".gt" ".gtu" ".height" ".hi" ".hs" ".idx"
    ".ignore_oob" ".im2col" ".im2col::w" ".im2col::w::128" ".im2col_no_offs" ".im2col_no_offs::w"
    ".inc" ".infinite" ".init" ".interleave_layout" ".inval" ".is_canceled" ".kind::f16"
    ".kind::f8f6f4" ".kind::i8" ".kind::mxf4" ".kind::mxf4nvf4" ".kind::mxf8f6f4" ".kind::tf32"
    ".kind::ti16" ".l" ".launch_dependents" ".layout::v0" ".layout::v1" ".ld" ".ld_reduce" ".le"
    ".leu" ".level" ".lo" ".load" ".ls" ".lt" ".ltu" ".lu" ".m#n#" ".m#n#k#" ".mask" ".max"
    ".mbarrier" ".mbarrier::arrive::one" ".mbarrier::complete_tx::16B"
    ".mbarrier::complete_tx::bytes" ".mbarrier::report::disabled" ".mbarrier::report::fabric"
    ".mbarrier::report::validity::per_16bytes::8" ".mbarrier::report::validity::per_16bytes::80"
    ".mbarrier::report::validity::per_16bytes::8000"
    ".mbarrier::report::validity::per_16bytes::80000000"
    ".mbarrier::report::validity::per_element::ff" ".mbarrier_init" ".memory_layout" ".min" ".mma"
    ".mma_async" ".mmio" ".multicast::cluster" ".multicast::cluster::16b" ".multicast::cluster::32b"
    ".multicast::cluster::all" ".multimem" ".nan" ".nc" ".ne" ".neu" ".noComplete" ".noftz" ".noinc"
    ".normal" ".normalized_coords" ".notanumber" ".num" ".num_mipmap_levels" ".num_samples"
    ".number" ".oob" ".op_restrict::fetching" ".or" ".override::global_address"
    ".override::global_dim" ".override::global_dim_stride" ".p" ".pack" ".pack::16b" ".parity"
    ".pending_count" ".phase_type::conditional" ".phase_type::primary" ".po" ".popc" ".prefetch"
    ".proxy" ".proxy::readonly" ".pzo" ".query_cancel" ".r" ".range" ".rank" ".rc16" ".rc8" ".read"
    ".red" ".reduce" ".relaxed" ".release" ".relinquish_alloc_permit" ".relu" ".replace" ".rm"
    ".rmi" ".rn" ".rna" ".rni" ".row" ".rp" ".rpi" ".rs" ".rz" ".rzi" ".sat" ".satfinite" ".sc"
    ".scale_vec::1X" ".scale_vec::2X" ".scale_vec::4X" ".scaled::n1::ue8m0" ".scaled::n2::ue8m0"
    ".shift" ".shiftamt" ".shr15" ".shr7" ".sp" ".sp::1:16" ".sp::1:2" ".sp::1:4" ".sp::1:8"
    ".sp::2:16" ".sp::2:4" ".sp::2:8" ".sp::4:16" ".sp::4:8" ".sp::ordered_metadata" ".spcompress"
    ".st" ".store" ".submit" ".subnormal" ".swizzle_atomicity" ".swizzle_mode" ".sync"
    ".sync_restrict::read" ".sync_restrict::reads" ".sync_restrict::shared::cluster"
    ".sync_restrict::shared::cluster::read" ".sync_restrict::shared::cta"
    ".sync_restrict::shared::read::mma::a" ".sys" ".tensor" ".tensormap" ".tensormap::generic"
    ".test_wait" ".tile" ".tile::gather4" ".tile::scatter4" ".to" ".trans" ".trap" ".try_atom"
    ".try_cancel" ".try_get" ".try_pullred" ".try_put" ".try_red" ".try_wait" ".uni" ".unpack::16b"
    ".up" ".v#" ".valid_addr" ".volatile" ".wait" ".wait::ld" ".wait::st" ".wait_all" ".wait_group"
    ".warp" ".warpx2::01_23" ".warpx2::02_13" ".warpx4" ".wb" ".weak" ".wide" ".width" ".wrap" ".ws"
    ".wt" ".x#" ".xor" ".xorsign" ".zero")
  "What follows an opcode and is neither a type nor a state space.")

(defconst ptx-words-types
  '(".b1" ".b128" ".b16" ".b32" ".b4x16" ".b4x16_p64" ".b64" ".b6p2x16" ".b6x16_p32" ".b8" ".b8x16"
    ".bf16" ".bf16x2" ".e2m1" ".e2m1p4x4" ".e2m1x2" ".e2m1x4" ".e2m3" ".e2m3x2" ".e2m3x4" ".e3m2"
    ".e3m2x2" ".e3m2x4" ".e4m3" ".e4m3x2" ".e4m3x4" ".e5m2" ".e5m2x2" ".e5m2x4" ".f16" ".f16x2"
    ".f32" ".f32x2" ".f64" ".pred" ".s16" ".s16x2" ".s2" ".s2f6x2" ".s32" ".s4" ".s64" ".s8" ".s8x4"
    ".samplerref" ".surfref" ".texref" ".tf32" ".u16" ".u16x2" ".u2" ".u32" ".u4" ".u64" ".u8"
    ".u8x4" ".ue4m3" ".ue5m3x2" ".ue8m0" ".ue8m0x2" ".ue8m0x4")
  "The types.")

(defconst ptx-words-spaces
  '(".const" ".global" ".local" ".param" ".param::entry" ".param::func" ".reg" ".shared"
    ".shared::cluster" ".shared::cta" ".sreg" ".tex")
  "The state spaces.")

(defconst ptx-words-directives
  '(".4byte" ".abi_preserve" ".abi_preserve_control" ".address_size" ".alias" ".align" ".attribute"
    ".blocksareclusters" ".branchtargets" ".byte" ".callprototype" ".calltargets" ".code_block"
    ".common" ".const" ".entry" ".explicitcluster" ".extern" ".file" ".func" ".global" ".ir_name"
    ".language" ".loc" ".loc_intermediate" ".local" ".managed" ".maxclusterrank" ".maxnctapersm"
    ".maxnreg" ".maxntid" ".minnctapersm" ".minperctamemory" ".noreturn"
    ".nv_intermediate_source_section" ".param" ".pragma" ".ptr" ".quad" ".reg" ".reqnctapercluster"
    ".reqntid" ".section" ".shared" ".sourceFileName" ".source_begin" ".source_end" ".sreg"
    ".target" ".tex" ".unified" ".version" ".visible" ".weak")
  "The directives.")

(defconst ptx-words-special-registers
  '("%aggr_smem_size" "%clock" "%clock64" "%clock_hi" "%cluster_ctaid" "%cluster_ctarank"
    "%cluster_nctaid" "%cluster_nctarank" "%clusterid" "%ctaid" "%current_graph_exec"
    "%dynamic_smem_size" "%envreg0" "%envreg1" "%envreg10" "%envreg11" "%envreg12" "%envreg13"
    "%envreg14" "%envreg15" "%envreg16" "%envreg17" "%envreg18" "%envreg19" "%envreg2" "%envreg20"
    "%envreg21" "%envreg22" "%envreg23" "%envreg24" "%envreg25" "%envreg26" "%envreg27" "%envreg28"
    "%envreg29" "%envreg3" "%envreg30" "%envreg31" "%envreg4" "%envreg5" "%envreg6" "%envreg7"
    "%envreg8" "%envreg9" "%globaltimer" "%globaltimer_hi" "%globaltimer_lo" "%gridid"
    "%is_explicit_cluster" "%laneid" "%lanemask_eq" "%lanemask_ge" "%lanemask_gt" "%lanemask_le"
    "%lanemask_lt" "%nclusterid" "%nctaid" "%nsmid" "%ntid" "%nwarpid" "%perctamemoryoffset"
    "%perctamemorysize" "%pm0" "%pm0_64" "%pm1" "%pm1_64" "%pm2" "%pm2_64" "%pm3" "%pm3_64" "%pm4"
    "%pm4_64" "%pm5" "%pm5_64" "%pm6" "%pm6_64" "%pm7" "%pm7_64" "%reserved_smem_offset_0"
    "%reserved_smem_offset_1" "%reserved_smem_offset_begin" "%reserved_smem_offset_cap"
    "%reserved_smem_offset_end" "%smid" "%tid" "%total_smem_size" "%warpid")
  "The special registers without their components.")

(defconst ptx-words-components
  '(".x" ".y" ".z" ".w" ".r" ".g" ".b" ".a")
  "The parts of a vector register.")

(defconst ptx-words-plain
  '("WARP_SZ" "addr_mode_0" "addr_mode_1" "addr_mode_2" "array_size" "channel_data_type"
    "channel_order" "clamp_ogl" "clamp_to_border" "clamp_to_edge" "debug" "depth" "filter_mode"
    "force_unnormalized_coords" "function_name" "generic" "height" "inlined_at" "linear"
    "map_f64_to_f32" "memory_layout" "mirror" "nearest" "normalized_coords" "num_mipmap_levels"
    "num_samples" "sm_10" "sm_100" "sm_100a" "sm_100f" "sm_101" "sm_101a" "sm_101f" "sm_103"
    "sm_103a" "sm_103f" "sm_107" "sm_107a" "sm_107f" "sm_11" "sm_110" "sm_110a" "sm_110f" "sm_12"
    "sm_120" "sm_120a" "sm_120f" "sm_121" "sm_121a" "sm_121f" "sm_13" "sm_20" "sm_21" "sm_30"
    "sm_32" "sm_35" "sm_37" "sm_50" "sm_52" "sm_53" "sm_60" "sm_61" "sm_62" "sm_70" "sm_72" "sm_75"
    "sm_80" "sm_82" "sm_86" "sm_87" "sm_88" "sm_89" "sm_90" "sm_90a" "texmode_independent"
    "texmode_unified" "width" "wrap")
  "Words without a dot: targets, options, fields of textures.")

(provide 'ptx-words)
;;; ptx-words.el ends here
