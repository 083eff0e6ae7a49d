"""The import graphs of the repository: Python modules, Rust modules of a crate, web modules."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

Graph = Mapping[str, set[str]]


def cycles(graph: Graph) -> list[tuple[str, ...]]:
    """Returns the strongly connected components of more than one module, each sorted (Tarjan)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    found: list[tuple[str, ...]] = []
    for root in sorted(graph):
        if root in index:
            continue
        work: list[tuple[str, Iterator[str]]] = []

        def visit(node: str, work: list[tuple[str, Iterator[str]]] = work) -> None:
            index[node] = low[node] = len(index)
            stack.append(node)
            work.append((node, iter(sorted(graph.get(node, ())))))

        visit(root)
        while work:
            node, targets = work[-1]
            for target in targets:
                if target not in index:
                    visit(target)
                    break
                if target in stack:
                    low[node] = min(low[node], index[target])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    at = stack.index(node)
                    if len(stack) - at > 1:
                        found.append(tuple(sorted(stack[at:])))
                    del stack[at:]
    return sorted(found)


def python_graph(package: Path) -> Graph:
    """Returns the imports between the modules of a package, also those inside functions.

    Imports under `if TYPE_CHECKING:` count too. An import of a package counts as an import of its
    `__init__`; a submodule does not depend on the `__init__` of its own package.
    """
    root = package.parent
    paths = [*package.rglob("*.py"), *package.rglob("*.pyi")]  # a stub is a compiled module
    modules = {_python_name(path, root): path for path in paths if "migrations" not in path.parts}
    graph: dict[str, set[str]] = {name: set() for name in modules}
    for name, path in modules.items():
        own = name if path.name == "__init__.py" else name.rpartition(".")[0]
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            for target in _python_targets(node, own):
                while target and target not in modules:
                    target = target.rpartition(".")[0]
                if target and target != name:
                    graph[name].add(target)
    return graph


def _python_name(path: Path, root: Path) -> str:
    parts = path.relative_to(root).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _python_targets(node: ast.AST, own: str) -> Iterator[str]:
    match node:
        case ast.Import(names=names):
            yield from (alias.name for alias in names)
        case ast.ImportFrom(module=module, names=names, level=level):
            base = module or ""
            if level:
                parent = own.rsplit(".", level - 1)[0] if level > 1 else own
                base = f"{parent}.{module}" if module else parent
            yield from (f"{base}.{alias.name}" for alias in names)


def rust_graph(crate: Path) -> Graph:
    """Returns the uses of `crate::`, `super::` and `self::` paths between the modules of a crate.

    A path counts for the deepest module that it names, and a name that a parent module re-exports
    for the module that defines it. Test modules do not count.
    """
    src = crate / "src"
    modules = {_rust_name(path, src): path for path in sorted(src.rglob("*.rs"))}
    modules = {
        name: path
        for name, path in modules.items()
        if name.rpartition("::")[2] not in {"tests", "test", "main"} and "bin" not in path.parts
    }
    graph: dict[str, set[str]] = {name: set() for name in modules}
    texts = {
        name: _without_rust_tests(_without_rust_comments(path.read_text("utf-8")))
        for name, path in modules.items()
    }
    exports = {
        f"{name}::{path.rpartition('::')[2]}": f"{name}::{path}"
        for name, text in texts.items()
        for start in re.finditer(r"(?m)^pub(?:\(\w+\))? use (?:self::)?", text)
        for path in _expand(text[start.end() :])
    }
    for name, text in texts.items():
        for target in _rust_targets(text, name):
            parts = _exported(target, exports).split("::")
            while parts and "::".join(parts) not in modules:
                parts.pop()
            if parts and "::".join(parts) != name:
                graph[name].add("::".join(parts))
    return graph


def _exported(target: str, exports: Mapping[str, str]) -> str:
    """Returns the path that a re-exported name stands for, or the path itself."""
    parts = target.split("::")
    names = ("::".join(parts[:size]) for size in range(2, len(parts) + 1))
    return next((exports[name] for name in names if name in exports), target)


def _rust_name(path: Path, src: Path) -> str:
    parts = path.relative_to(src).with_suffix("").parts
    if parts[-1] in {"lib", "mod"}:
        parts = parts[:-1]
    return "::".join(("crate", *parts))


def _without_rust_comments(text: str) -> str:
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL)


def _without_rust_tests(text: str) -> str:
    return re.split(r"#\[cfg\(test\)\]\s*(?:#\[[^\]]*\]\s*)*mod \w+ \{", text)[0]


def _rust_targets(text: str, own: str) -> Iterator[str]:
    for start in re.finditer(r"(?<![\w:])(crate|super|self)::", text):
        for path in _expand(text[start.start() :]):
            parts = path.split("::")
            if parts[0] == "crate":
                yield path
                continue
            base = own.split("::")
            while parts and parts[0] in {"super", "self"}:
                if parts[0] == "super":
                    base = base[:-1]
                parts = parts[1:]
            yield "::".join([*base, *parts])


def _expand(text: str) -> Iterator[str]:
    """Yields the paths of a Rust use tree, `a::{b, c::d}`, at the beginning of a text."""
    head = re.match(r"(?:\w+::)*", text)
    assert head is not None
    prefix, rest = head[0], text[head.end() :]
    if not rest.startswith("{"):
        word = re.match(r"\w*", rest)
        assert word is not None
        yield (prefix + word[0]).removesuffix("::")
        return
    depth, at, begin = 0, 0, 1
    for at, letter in enumerate(rest):
        depth += (letter == "{") - (letter == "}")
        if (letter == "," and depth == 1) or depth == 0:
            if branch := rest[begin:at].strip():
                yield from (f"{prefix}{path}" for path in _expand(branch))
            begin = at + 1
        if depth == 0:
            return


def web_graph(source: Path) -> Graph:
    """Returns the imports between the TypeScript and Svelte modules of the web client.

    Imports of types count too, and so do dynamic imports.
    """
    endings = {".ts", ".svelte", ".js"}
    paths = {
        path.resolve()
        for path in source.rglob("*")
        if path.suffix in endings and path.name != "messages.ts" and ".test." not in path.name
    }
    graph: dict[str, set[str]] = {str(path.relative_to(source)): set() for path in paths}
    for path in paths:
        text = re.sub(
            r"/\*.*?\*/|^\s*//[^\n]*", "", path.read_text("utf-8"), flags=re.DOTALL | re.M
        )
        for target in re.findall(r"(?:from|import)\s*\(?\s*['\"]([^'\"]+)['\"]", text):
            found = _web_file(target, path, source, paths)
            if found is not None and found != path:
                graph[str(path.relative_to(source))].add(str(found.relative_to(source)))
    return graph


def _web_file(target: str, path: Path, source: Path, paths: Iterable[Path]) -> Path | None:
    if target.startswith("."):
        base = (path.parent / target).resolve()
    elif target.startswith(("$lib/", "@/")):
        base = (source / target.replace("$lib/", "lib/").removeprefix("@/")).resolve()
    else:
        return None
    candidates = [
        base,
        *(base.with_name(base.name + ending) for ending in (".ts", ".svelte", ".js")),
    ]
    candidates += [base / "index.ts", base.with_suffix(".ts")]
    return next((one for one in candidates if one in paths), None)
