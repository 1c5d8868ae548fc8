"""Rust with ``asm!``: literals, macros, conditions and comments of all kinds."""

from __future__ import annotations

from ..texts.shapes import Generator, between, repeated, turns
from .shapes import in_language, program

RUST: dict[str, Generator] = {
    "rust: named operands": lambda size: (
        'fn f() { asm!("'
        + repeated(size // 2, lambda n: f"add.s32 {{n{n}}}, 1; ")
        + '"'
        + repeated(size // 2, lambda n: f", n{n} = in(reg32) x")
        + "); }\n"
    ),
    "rust: templates": between("fn f() { asm!(", lambda n: f'"add.s32 {{0}}, {n};", ', "in(reg32) x); }\n"),
    "rust: comments that nothing closes": between("fn f() { asm!(", lambda n: '"a", /* ', "); }\n"),
    "rust: concatenations": between("fn f() { asm!(", lambda n: 'concat!("a", ', "); }\n"),
    "rust: calls that nothing closes": between("", lambda n: 'asm!("add.s32 {0};" '),
    "rust: raw strings with many signs": lambda size: repeated(
        size,
        lambda n: (
            f'fn f{n}(x: u32) {{ unsafe {{ asm!(r{"#" * (n % 40)}"add.s32 {{0}}, {n}; '
            f'{"#" * (n % 39)}"{"#" * (n % 41)}, in(reg32) x); }} }}\n'
        ),
    ),
    "rust: macros by example that yield templates": lambda size: repeated(
        size,
        lambda n: (
            f"macro_rules! m{n} {{ ($($x:expr),* $(,)?) => {{ unsafe {{ "
            'asm!(concat!("add.s32 {0}, ", stringify!($($x)+*), ";"), '
            f"in(reg32) m{max(n - 1, 0)}!($($x, {n}),*)) }} }}; }}\nfn f{n}() {{ m{n}!(1, (2, [3]), {n}) }}\n"
        ),
    ),
    "rust: lifetimes and quoted quotes": lambda size: repeated(
        size,
        lambda n: (
            f"fn f{n}<'a, 'b: 'a>(x: &'a u32) {{ let c = '\"'; let d = b'\\''; "
            f'unsafe {{ asm!("add.s32 {{0}}, {{1}}, {n};", /* " /* \' */ " */ '
            "in(reg32) g::<'a>(c, '\\\\', r#\"asm!(\"#), out(reg32) _) } }\n"
        ),
    ),
    "rust: operands of all kinds, and programs in constants": lambda size: (
        "use cuda_std::*;\n"
        + repeated(
            size,
            lambda n: (
                f'const K{n}: &str = concat!(r#"{program(n)}"#, include_str!("k{n}.ptx"), env!("X{n}"), K{n // 2});\n'
                f'unsafe {{ asm!("add.s32 {{a:e}}, {{0:{{w}}}}, {{{{}}}} {{c{n}}};", K{n}, '
                "inout(reg32) x => y, a = lateout(reg64) _, "
                f"c{n} = const {{ {n} + N }}, sym f::<{n}>, label {{ break 'l{n} }}, "
                f'out("%r{n}") _, clobber_abi("C"), options(att_syntax, pure, nomem)); }}\n'
            ),
        )
    ),
    "rust: statements under conditions of features": lambda size: repeated(
        size,
        lambda n: (
            f'#[cfg(all(target_arch = "nvptx64", not(any(feature = "f{n}", feature = "g{n // 2}"))))]\n'
            f'#[cfg_attr(feature = "h{n}", target_feature(enable = "sm_{n % 99}"), inline)]\n'
            f"unsafe fn f{n}(mut x: u32) {{\n"
            f'    if cfg!(feature = "f{n}") {{ asm!("ad.s32 {{0}}, {{0}}, {n};", inout(reg32) x); }}\n'
            f'    #[cfg(not(feature = "f{n}"))] asm!("add.s32 {{x}}, {{y}}, q{n};", x = out(reg32) x, '
            f"#[cfg(g)] y = in(reg32) {n});\n}}\n"
        ),
    ),
    "rust: comments of documentation that hold statements": lambda size: repeated(
        size,
        turns(
            '/// Adds. ```asm!("ad.s32 {0}, $n;", in(reg32) x)``` it\'s "open\n',
            '#[doc = r#"asm!("x$n;")"#] #[doc = "``` asm!(\\"y$n;\\" "] //! asm!("z$n;")\n',
            '/** asm!("a$n;") /* asm!("b$n" */ \' " **/\n',
            'fn f$n(x: u32) { unsafe { asm!("add.s32 {0}, {0}, $n;", inout(reg32) x => _) } }\n',
            '#![doc = include_str!("f$n.md")] /*! asm!( */ /// }}} asm!("c$n;"\n',
            'unsafe fn g$n(x: u32) { asm!(/** doc */ "ad.s32 {0}, q$n;", /// doc\n in(reg32) x); }\n',
        ),
    ),
}
HOSTS = in_language("rust", RUST)
