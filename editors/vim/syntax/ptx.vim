" Syntax of NVIDIA PTX. Made by python -m editors.generate out of grammar/.
if exists('b:current_syntax')
  finish
endif
let s:cpo = &cpo
set cpo&vim

syn case match
syn sync ccomment ptxComment minlines=20

" where a statement begins
syn cluster ptxStatement contains=ptxBlock,ptxLabel,ptxGuard,ptxOpcode,ptxUnknown
syn match ptxBegin /^/ nextgroup=@ptxStatement skipwhite
syn match ptxEnd /;/ nextgroup=@ptxStatement skipwhite
syn match ptxBlock /[{}]/ contained nextgroup=@ptxStatement skipwhite
syn match ptxGuard /\v\@\s*!?\s*%([A-Za-z][A-Za-z0-9_$]*|[_%$][A-Za-z0-9_$]+)/ contained contains=ptxRegister nextgroup=@ptxStatement skipwhite

" instructions
syn cluster ptxQualifiers contains=ptxQualifier,ptxShape,ptxCache,ptxScope,ptxOrder,ptxRounding,ptxType,ptxSpace
syn match ptxUnknown /\v[A-Za-z][A-Za-z0-9_$]*/ contained nextgroup=@ptxQualifiers
syn match ptxOpcode /\v%(%(a%(bs|ctivemask|dd%(c)?|lloca|nd|pplypriority%(\.async\.bulk%(\.tensor)?)?|tom)|b%(ar%(\.%(arrive|cta\.%(arrive|red|sync)|red|sync|warp\.sync)|rier%(\.%(arrive|c%(luster\.%(arrive|wait)|ta%(\.%(arrive|red))?)|red))?)?|f%(e|i%(nd)?)|msk|r%(a|ev|kpt|x%(\.idx)?))|c%(all|l%(mad%(\.%(hi|lo))?|usterlaunchcontrol%(\.%(query_cancel|try_cancel\.async))?|z)|not|o%(pysign|s)|p%(\.%(async%(\.%(bulk%(\.%(commit_group|prefetch%(\.tensor)?|tensor|wait_group))?|commit_group|mbarrier\.arrive|wait_%(all|group)))?|reduce\.async\.bulk%(\.tensor)?))?|reatepolicy%(\.%(cvt|fractional|range))?|vt%(\.pack|a%(\.to)?)?)|d%(i%(scard|v%(\.full)?)|p%(2a%(\.%(hi|lo))?|4a))|e%(lect%(\.sync)?|x%(2|it))|f%(abric%(\.%(submit%(\.commit_group)?|try_%(get\.async|pu%(llred\.async|t\.async)|red\.async)|wait))?|ence%(\.proxy)?|ma|ns)|g%(etctarank|riddepcontrol)|is%(spacep|typep)|l%(d%(matrix|u)?|g2|op3)|m%(a%(d%(\.%(hi|lo|wide)|24%(\.%(hi|lo))?|c%(\.%(hi|lo))?)?|pa|tch%(\.a%(ll|ny))?|x)|barrier%(\.%(arrive%(\.expect_tx|_drop%(\.expect_tx)?)?|c%(heck_layout|omplete_tx)|expect_tx|in%(it|val)|pending_count|t%(est_wait%(\.parity)?|ry_wait%(\.parity)?)))?|embar%(\.proxy)?|in|ma%(\.sp%(::ordered_metadata)?)?|ov%(matrix)?|ul%(\.%(hi|lo|wide)|24%(\.%(hi|lo))?|timem%(\.%(cp\.%(async\.bulk|reduce\.async\.bulk)|ld_reduce|red%(\.async)?|st%(\.async)?))?)?)|n%(anosleep|eg|ot)|or|p%(mevent|opc|r%(efetch%(u)?|mt))|r%(cp|e%(d%(\.async|ux)?|m|t)|sqrt)|s%(ad|e%(lp|t%(maxnreg%(\.%(dec|inc))?|p)?)|h%(f%(\.%(l|r)|l)?|l|r)|in|lct|p%(compress|decompress)|qrt|t%(\.%(async|bulk)|ack%(restore|save)|matrix)?|u%(b%(c)?|ld%(\.b)?|q|red%(\.%(b|p))?|st%(\.%(b|p))?)|zext)|t%(anh|cgen05%(\.%(alloc|c%(ommit|p)|dealloc|fence::%(after_thread_sync|before_thread_sync)|ld%(\.%(red%(\.spcompress)?|spcompress))?|mma%(\.%(sp|ws%(\.sp)?))?|relinquish_alloc_permit|s%(hift|t)|wait::%(ld|st)))?|e%(nsormap%(\.%(cp_fenceproxy|replace))?|stp|x%(\.%(base|grad|level))?)|ld4|rap|xq%(\.level)?)|v%(a%(bsdiff%(2|4)?|dd%(2|4)?|vrg%(2|4))|m%(a%(d|x%(2|4)?)|in%(2|4)?)|ote|s%(et%(2|4)?|h%(l|r)|ub%(2|4)?))|w%(gmma%(\.%(commit_group|fence|mma_async%(\.sp)?|wait_group))?|mma%(\.%(load\.%(a|b|c)|mma|store\.d))?)|xor))%([A-Za-z0-9_$]|::)@!/ contained nextgroup=@ptxQualifiers
syn match ptxQualifier /\v%(\.%(NaN|a%(bs|cc::f%(16|32)|dd%(r_mode_%(0|1|2))?|l%(i%(as|gned)|l%(oc)?)|n%(d|y)|pprox|rr%(ay_size|ive%(_drop)?)|s%(hift|ync%(::generic)?))?|b%(1024|2|4%(e)?|a%(llot|se)|fly|lock%(16|32|_scale)|ox_dim|ulk%(_group)?)?|c%(as|c|h%(annel_%(data_type|order)|eck_layout)|lamp|o%(llector::%(a::%(discard|fill|lastuse|use)|b%(0::%(discard|fill|lastuse|use)|1::%(discard|fill|lastuse|use)|2::%(discard|fill|lastuse|use)|3::%(discard|fill|lastuse|use)|::%(discard|fill|lastuse|use)))|m%(mit%(_group)?|plete_tx)|unted::bytes)|p%(_%(fenceproxy|mask))?|ta_group::%(1|2)|vt)?|d%(e%(alloc|c%(ompress::lut::b)?|pth)|own)?|e%(c%(l|r)|lem%(ent_stride|type)|q%(u)?|x%(c%(h|lusive)|pect_tx))|f%(4e|abric::%(fabric|generic)|ence%(::%(after_thread_sync|before_thread_sync))?|i%(l%(l_mode|ter_mode)|nite)|orce_unnormalized_coords|ractional|tz|ull)|g%(e%(neric::fabric|t_first_ctaid%(::%(x|y|z))?|u)?|lobal_%(address|dim|stride)|rad|t%(u)?)?|h%(eight|i|s)|i%(dx|gnore_oob|m2col%(::w%(::128)?|_no_offs%(::w)?)?|n%(c|finite|it|terleave_layout|val)|s_canceled)|kind::%(f%(16|8f6f4)|i8|mxf%(4%(nvf4)?|8f6f4)|t%(f32|i16))|l%(a%(unch_dependents|yout::v%(0|1))|d%(_reduce)?|e%(u|vel)?|o%(ad)?|s|t%(u)?)?|m%(a%(sk|x)|barrier%(::%(arrive::one|complete_tx::%(16B|bytes)|report::%(disabled|fabric|validity::per_%(16bytes::8%(0%(00%(0000)?)?)?|element::ff)))|_init)?|emory_layout|in|ma%(_async)?|ulti%(cast::cluster%(::%(16b|32b|all))?|mem))|n%(an|e%(u)?|o%(Complete|ftz|inc|rmal%(ized_coords)?|tanumber)|um%(_%(mipmap_levels|samples)|ber)?)|o%(ob|p_restrict::fetching|r|verride::global_%(address|dim%(_stride)?))|p%(a%(ck%(::16b)?|rity)|ending_count|hase_type::%(conditional|primary)|o%(pc)?|r%(efetch|oxy%(::readonly)?)|zo)?|query_cancel|r%(an%(ge|k)|c%(16|8)|e%(ad|d%(uce)?|l%(inquish_alloc_permit|u)|place))?|s%(at%(finite)?|cale%(_vec::%(1X|2X|4X)|d::n%(1::ue8m0|2::ue8m0))|h%(ift%(amt)?|r%(15|7))|p%(::%(1:%(16|2|4|8)|2:%(16|4|8)|4:%(16|8)|ordered_metadata)|compress)?|t%(ore)?|ub%(mit|normal)|wizzle_%(atomicity|mode)|ync%(_restrict::%(read%(s)?|shared::%(c%(luster%(::read)?|ta)|read::mma::a)))?)|t%(e%(nsor%(map%(::generic)?)?|st_wait)|ile%(::%(gather4|scatter4))?|o|r%(a%(ns|p)|y_%(atom|cancel|get|pu%(llred|t)|red|wait)))|u%(n%(i|pack::16b)|p)|valid_addr|w%(a%(it%(::%(ld|st)|_%(all|group))?|rp%(x%(2::0%(1_23|2_13)|4))?)|id%(e|th)|rap|s)|xor%(sign)?|zero))%([A-Za-z0-9_$]|::)@!/ contained nextgroup=@ptxQualifiers
syn match ptxShape /\v%(\.%([0-9]+%(d%(ms)?|x[0-9]+b%(x[0-9]+)?)|a%([0-9]+d%(ms)?|cube)|c%(ol|ube)|m[0-9]+n[0-9]+%(k[0-9]+)?|row|v[0-9]+|x[0-9]+))%([A-Za-z0-9_$]|::)@!/ contained nextgroup=@ptxQualifiers
syn match ptxCache /\v%(\.%(L[0-9]+%(::%([0-9]+B|cache_hint|evict_%(first|last|normal|unchanged)|no_allocate))?|c%(a|g|s|v)|lu|nc|w%(b|t)))%([A-Za-z0-9_$]|::)@!/ contained nextgroup=@ptxQualifiers
syn match ptxScope /\v%(\.%(c%(luster|ta)|g%(l|pu)|sys))%([A-Za-z0-9_$]|::)@!/ contained nextgroup=@ptxQualifiers
syn match ptxOrder /\v%(\.%(acq%(_rel|uire)|mmio|rel%(axed|ease)|sc|volatile|weak))%([A-Za-z0-9_$]|::)@!/ contained nextgroup=@ptxQualifiers
syn match ptxRounding /\v%(\.r%(m%(i)?|n%(a|i)?|p%(i)?|s|z%(i)?))%([A-Za-z0-9_$]|::)@!/ contained nextgroup=@ptxQualifiers
syn match ptxType /\v%(\.%(b%(1%(28|6)?|32|4x16%(_p64)?|6%(4|p2x16|x16_p32)|8%(x16)?|f16%(x2)?)|e%(2m%(1%(p4x4|x%(2|4))?|3%(x%(2|4))?)|3m2%(x%(2|4))?|4m3%(x%(2|4))?|5m2%(x%(2|4))?)|f%(16%(x2)?|32%(x2)?|64)|pred|s%(16%(x2)?|2%(f6x2)?|32|4|64|8%(x4)?|amplerref|urfref)|t%(exref|f32)|u%(16%(x2)?|2|32|4|64|8%(x4)?|e%(4m3|5m3x2|8m0%(x%(2|4))?))))%([A-Za-z0-9_$]|::)@!/ contained nextgroup=@ptxQualifiers
syn match ptxSpace /\v%(\.%(const|global|local|param%(::%(entry|func))?|reg|s%(hared%(::c%(luster|ta))?|reg)|tex))%([A-Za-z0-9_$]|::)@!/ contained nextgroup=@ptxQualifiers
syn match ptxLabel /\v%([A-Za-z][A-Za-z0-9_$]*|[_%$][A-Za-z0-9_$]+)\s*:%(:)@!/ contained nextgroup=@ptxStatement skipwhite

" registers, names and numbers
syn match ptxRegister /\v\%[A-Za-z0-9_$]+/
syn match ptxSpecialRegister /\v%(\%%(aggr_smem_size|c%(l%(ock%(64|_hi)?|uster%(_%(cta%(id|rank)|ncta%(id|rank))|id))|taid|urrent_graph_exec)|dynamic_smem_size|envreg%(0|1%(0|1|2|3|4|5|6|7|8|9)?|2%(0|1|2|3|4|5|6|7|8|9)?|3%(0|1)?|4|5|6|7|8|9)|g%(lobaltimer%(_%(hi|lo))?|ridid)|is_explicit_cluster|lane%(id|mask_%(eq|g%(e|t)|l%(e|t)))|n%(c%(lusterid|taid)|smid|tid|warpid)|p%(erctamemory%(offset|size)|m%(0%(_64)?|1%(_64)?|2%(_64)?|3%(_64)?|4%(_64)?|5%(_64)?|6%(_64)?|7%(_64)?))|reserved_smem_offset_%(0|1|begin|cap|end)|smid|t%(id|otal_smem_size)|warpid))[A-Za-z0-9_$]@!/
syn match ptxLabel /\v\$L[A-Za-z0-9_$]*/
syn match ptxLabel /\v%(<bra%(\.uni)?\s+)@40<=[A-Za-z_$][A-Za-z0-9_$]*/
syn match ptxFunction /\v%(<call%(\.uni)?\s+%(\([^()]*\)\s*,\s*)?)@80<=[A-Za-z_$][A-Za-z0-9_$]*/
syn match ptxConstant /\v<%(%(WARP_SZ|sm_%(1%(0%(0%(a|f)?|1%(a|f)?|3%(a|f)?|7%(a|f)?)?|1%(0%(a|f)?)?|2%(0%(a|f)?|1%(a|f)?)?|3)|2%(0|1)|3%(0|2|5|7)|5%(0|2|3)|6%(0|1|2)|7%(0|2|5)|8%(0|2|6|7|8|9)|90%(a)?)))[A-Za-z0-9_$]@!/
syn match ptxFloat /\v%([A-Za-z0-9_$.%])@1<!%(0[fF][0-9a-fA-F]{8}|0[dD][0-9a-fA-F]{16})%([A-Za-z0-9_$.])@!/
syn match ptxFloat /\v%([A-Za-z0-9_$.%])@1<!%([0-9]+\.[0-9]*%([eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+|\.[0-9]+%([eE][+-]?[0-9]+)?)%([A-Za-z0-9_$.])@!/
syn match ptxNumber /\v%([A-Za-z0-9_$.%])@1<!%(0[xX][0-9a-fA-F]+U?)%([A-Za-z0-9_$.])@!/
syn match ptxNumber /\v%([A-Za-z0-9_$.%])@1<!%(0[bB][01]+U?)%([A-Za-z0-9_$.])@!/
syn match ptxNumber /\v%([A-Za-z0-9_$.%])@1<!%(0[0-7]+U?)%([A-Za-z0-9_$.])@!/
syn match ptxNumber /\v%([A-Za-z0-9_$.%])@1<!%(%(0|[1-9][0-9]*)U?)%([A-Za-z0-9_$.])@!/

" directives
syn match ptxDirective /\v%(\.%(4byte|a%(bi_preserve%(_control)?|ddress_size|li%(as|gn)|ttribute)|b%(locksareclusters|ranchtargets|yte)|c%(all%(prototype|targets)|o%(de_block|mmon|nst))|e%(ntry|x%(plicitcluster|tern))|f%(ile|unc)|global|ir_name|l%(anguage|oc%(_intermediate|al)?)|m%(a%(naged|x%(clusterrank|n%(ctapersm|reg|tid)))|in%(nctapersm|perctamemory))|n%(oreturn|v_intermediate_source_section)|p%(aram|ragma|tr)|quad|re%(g|qn%(ctapercluster|tid))|s%(ection|hared|ource%(FileName|_%(begin|end))|reg)|t%(arget|ex)|unified|v%(ersion|isible)|weak))%([A-Za-z0-9_$]|::)@!/
syn match ptxDirective /\v<%(%(function_name|generic|inlined_at))>/
syn match ptxSpace /\v%(\.%(const|global|local|param%(::%(entry|func))?|reg|s%(hared%(::c%(luster|ta))?|reg)|tex))%([A-Za-z0-9_$]|::)@!/
syn match ptxType /\v%(\.%(b%(1%(28|6)?|32|4x16%(_p64)?|6%(4|p2x16|x16_p32)|8%(x16)?|f16%(x2)?)|e%(2m%(1%(p4x4|x%(2|4))?|3%(x%(2|4))?)|3m2%(x%(2|4))?|4m3%(x%(2|4))?|5m2%(x%(2|4))?)|f%(16%(x2)?|32%(x2)?|64)|pred|s%(16%(x2)?|2%(f6x2)?|32|4|64|8%(x4)?|amplerref|urfref)|t%(exref|f32)|u%(16%(x2)?|2|32|4|64|8%(x4)?|e%(4m3|5m3x2|8m0%(x%(2|4))?))))%([A-Za-z0-9_$]|::)@!/
syn match ptxShape /\v%(\.%([0-9]+%(d%(ms)?|x[0-9]+b%(x[0-9]+)?)|a%([0-9]+d%(ms)?|cube)|c%(ol|ube)|m[0-9]+n[0-9]+%(k[0-9]+)?|row|v[0-9]+|x[0-9]+))%([A-Za-z0-9_$]|::)@!/
syn match ptxDirective /\v\.%(entry|func)>/ nextgroup=ptxFunction skipwhite
syn match ptxFunction /\v%([A-Za-z][A-Za-z0-9_$]*|[_%$][A-Za-z0-9_$]+)/ contained
syn match ptxFunction /\v%(\.func\s*\([^()]*\)\s*)@200<=%([A-Za-z][A-Za-z0-9_$]*|[_%$][A-Za-z0-9_$]+)/
syn match ptxConstant /\v<%(%(debug|map_f64_to_f32|texmode_%(independent|unified)))>/ contained
syn region ptxTarget matchgroup=ptxDirective start=/\.target\>/ end=/$/ contains=ptxConstant,ptxComment

" strings and comments
syn match ptxString /"[^"]*"/
syn keyword ptxTodo contained TODO FIXME XXX NOTE
syn region ptxComment start=/\/\// end=/$/ contains=ptxTodo,@Spell
syn region ptxComment start=/\/\*/ end=/\*\// contains=ptxTodo,@Spell
syn region ptxString start=/\.source_begin\s*$/ end=/^\s*\.source_end\s*$/ contains=ptxDirective

hi def link ptxOpcode Statement
hi def link ptxQualifier Special
hi def link ptxRounding ptxQualifier
hi def link ptxOrder ptxQualifier
hi def link ptxScope ptxQualifier
hi def link ptxCache ptxQualifier
hi def link ptxShape ptxQualifier
hi def link ptxSpace StorageClass
hi def link ptxType Type
hi def link ptxDirective PreProc
hi def link ptxRegister Identifier
hi def link ptxSpecialRegister Constant
hi def link ptxConstant Constant
hi def link ptxFunction Function
hi def link ptxLabel Label
hi def link ptxGuard Operator
hi def link ptxNumber Number
hi def link ptxFloat Float
hi def link ptxString String
hi def link ptxComment Comment
hi def link ptxTodo Todo

let b:current_syntax = 'ptx'
let &cpo = s:cpo
unlet s:cpo
