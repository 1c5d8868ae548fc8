"""Python whose templates of inline assembly are computed: f-strings, names, sums, and functions."""

from __future__ import annotations

from ..texts.shapes import Generator, between, repeated, turns
from .shapes import TRITON, in_language, triton


def table_of_templates(size: int) -> str:
    """A dictionary of templates, and calls with a value of it."""
    return (
        f"{TRITON}OPS = {{\n"
        + repeated(size // 2, lambda n: f'    ("k{n}", {n}): "op{n}.s32 $0, $1;" "mov.b32 $0, q{n};",\n')
        + "}\n"
        + repeated(
            size // 2, lambda n: f'x = tl.inline_asm_elementwise(OPS["k{n}", {n}], "=r,r", [x], tl.int32, True, 1)\n'
        )
    )


def choices_of_one_template(size: int) -> str:
    """One call whose template is a sum of choices, each by another condition."""
    parts = repeated(size, lambda n: f'    ("add.s32 $0, $1, {n};" if A{n} else "{{ sub.s32 $0, q{n};")\n    + ')
    return f'{TRITON}x = tl.inline_asm_elementwise(\n{parts}"", "=r,r", [x], tl.int32, True, 1)\n'


CALL = 'x = tl.inline_asm_elementwise({}, "=r,r", [x], tl.int32, True, 1)\n'


def called(template: str) -> str:
    """A call of Triton with an expression as its template."""
    return CALL.format(template)


def grown(size: int) -> str:
    """One name for a template, to which a line is added before each call."""
    return f'{TRITON}T = ""\n' + repeated(size, lambda n: f'T += "add.s32 $0, $1, {n};\\n"\n{called("T")}')


def from_others(*expressions: str) -> Generator:
    """Templates each of which is made from others by one of some expressions, and calls with them."""
    made = turns(*(f"T$n = {one}\n{called('T$n')}" for one in expressions))
    return lambda size: f'{TRITON}T0 = "add.s32 $0, $1, 1;"\n' + repeated(size, made)


PYTHON: dict[str, Generator] = {
    "python: values that nothing closes": between("from jax import inline_asm_elementwise\n", lambda n: f"A{n}=(\n"),
    "python: values in parentheses": between(
        "from jax import inline_asm_elementwise\n", lambda n: f'A{n} = ("x{n}"\n"y")\n'
    ),
    "python: a long constant in many calls": lambda size: (
        f'import triton\nT = "{"add.s32 a, b, c; " * (size // 34)}"\n'
        + repeated(size // 2, lambda n: f'inline_asm_elementwise(T + "{n}", "=r", [])\n')
    ),
    "python: fields of an f-string": between(
        'import triton\ninline_asm_elementwise(f"', lambda n: f"add.s32 {{a{n}}}, 1, 2; ", '", "=r,r", [x])\n'
    ),
    "python: fields as statements": between(
        'import triton\ninline_asm_elementwise(f"', lambda n: f"{{a{n}}} ", '", "=r,r", [x])\n'
    ),
    "python: sums in an f-string": between(
        'import triton\ninline_asm_elementwise(f"', lambda n: f"mov.b32 $0, {{a{n}}}+1; ", '", "=r,r", [x])\n'
    ),
    "python: formatted strings": between(
        "from jax import inline_asm_elementwise\n", lambda n: f'inline_asm_elementwise("add.s32 %s" % {n}, "=r", [])\n'
    ),
    "triton: f-strings": triton(
        lambda n: f'    x = tl.inline_asm_elementwise(f"add.{{T{n}}} $0, q{n}, {{v}}; ad.x{n} $0;", "=r,r", [x])\n'
    ),
    "triton: templates in names": lambda size: (
        "import triton\n"
        + repeated(size // 2, lambda n: f'OP{n} = "op{n}.s32 $0, $1;"\n')
        + repeated(size // 2, lambda n: f'x = tl.inline_asm_elementwise(OP{n}, "=r,r", [x])\n')
    ),
    "triton: templates of many lines": triton(
        lambda n: (
            '    x = tl.inline_asm_elementwise(\n        asm="""\n        {\n            .reg .b32 a<4>, '
            f"t{n};\n            and.b32 a0, $1, 0x0f0f0f0f;\n            shfl.bfly a1, q{n}, 4, 31;\n"
            '        }\n        """,\n        constraints="=r,r", args=[x], dtype=tl.int8, is_pure=True, pack=4)\n'
        )
    ),
    "triton: a long template": lambda size: (
        'import triton\nx = tl.inline_asm_elementwise("""\n'
        + repeated(size, lambda n: f"ad{n}.s32 $0, q{n}, $1;\n")
        + '""", "=r,r", [x], tl.int32, True, 1)\n'
    ),
    "triton: templates that double": lambda size: (
        f'{TRITON}T0 = "add.s32 $0, $1, 1;"\n'
        + repeated(
            size,
            lambda n: (
                f'T{n + 1} = T{n} + T{n}\nx = tl.inline_asm_elementwise(T{n + 1}, "=r,r", [x], tl.int32, True, 1)\n'
            ),
        )
    ),
    "triton: one template of independent choices": choices_of_one_template,
    "triton: f-strings in f-strings": triton(
        lambda n: (
            f"    x = tl.inline_asm_elementwise(f\"{{f'{{op_{n}}}.s32' if a[{n}] else f'{{b!r:>{{w}}}}'}} $0, "
            f"{{{{ {{', '.join(f'${{i}}' for i in r[{n}:])}}; q{n} }}}}\", \"=r,r\", [x], tl.int32, True, 1)\n"
        )
    ),
    "triton: a dictionary of templates": table_of_templates,
    "triton: functions that return templates": lambda size: (
        TRITON
        + repeated(
            size,
            lambda n: (
                f'def t{n}(v):\n    return t{max(n - 1, 0)}(v) + f"add.s32 $0, {{v}}, {n};" + t{n // 2}(v)\n'
                f'x = tl.inline_asm_elementwise(t{n}("$1"), "=r,r", [x], tl.int32, True, 1)\n'
            ),
        )
    ),
    "triton: one template that grows before each call": grown,
    "triton: templates repeated by large numbers": from_others(
        '"add.s32 $0, $1, $n;\\n" * 1000000000',
        "T$m * 99$n",
        "0x7fffffff * T$m",
        "(T$m + 'x$n;') * 10**$n * 10**9",
        '"mov.b32 $0, q$n;" "x;" * (1 << 40) + T$m * N',
    ),
    "triton: templates replaced, widened and joined": from_others(
        'T$m.replace("a", "aa").replace(";", T$m)',
        "f\"{T$m:>{10**9}} {{ {'x' * $n:*^1$n00000000} }} {T$m!r:0100000000}\"",
        '"\\n".join([T$m for i in range(10**$n)])',
        '"%999999999d; %*s" % ($n, 10**9, T$m)',
        '"{0}{0:>1$n0000000}{1}".format(T$m, T$m).strip()',
        "dedent(T$m + T$m).expandtabs(10**9).zfill(9$n00000000)",
        "''.join(T$m[::-1]).center(10**$n)[:$n]",
    ),
    "triton: quotes of all kinds inside of each other": lambda size: (
        TRITON
        + repeated(
            size,
            turns(
                called("'''add.s32 $0, \"$n\", '' \\''' $1;''' \"\" '''x$n''' R\"\"\"'''\"\"\""),
                called('"""\\"""add""" \'"\' "\'" f\'\'\'{"""q$n""" + \'"\'}{{}}\'\'\' "\\\n$n;"'),
                "# ''' \"\"\" '$n\n",
                called("u'\\'' rf'{x!r:{1}>{$n}}\\'' \"\\N{SEMICOLON}\\x22\\042 # $n\""),
            ),
        )
    ),
    "triton: classes that inherit their templates": lambda size: (
        f'{TRITON}class C0:\n    T = "add.s32 $0, $1, 1;"\n'
        + repeated(
            size,
            lambda n: (
                f'class C{n + 1}(C{n}):\n    U{n} = "op{n}.s32 $0, $1;" + C{n}.T\n    def f(self, x):\n'
                f"        {called(f'self.U{n // 2} + C{n}.T + super().U{max(n - 1, 0)}')}"
            ),
        )
    ),
    "triton: one name, given a value in one of many branches before each call": triton(
        lambda n: (
            f'    if x > {n}:\n        T = "add.s32 $0, $1, {n};"\n    elif y:\n        T = T + "sub.s32 $0, q{n};"\n'
            f'    else:\n        T, U = f"{{T}}{{{{ mov.b32 $0, {n};", T\n    {called("T")}'
        ),
        before='T = "add.s32 $0, $1, 1;"\n',
    ),
}
HOSTS = in_language("python", PYTHON)
