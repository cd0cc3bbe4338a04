"""Templates and static files that code names by a literal path: `render(request, "shop/cart.html")`.

Only a file that exists becomes a target; it lies in a folder of templates or static files, beside the
code, or at the path from the root.
"""

import posixpath
import re
from collections.abc import Iterable

NAMED_FILE = "file:"
"""How the module of an import row begins that names a file of any language."""
RENDERERS = frozenset(
    (
        "FileResponse", "TemplateResponse", "get_template", "render", "render_template",
        "render_to_response", "render_to_string", "select_template", "send_file", "static", "template",
    )
)  # fmt: skip
_PATH = re.compile(r"[\w@.-]+(?:/[\w@.-]+)*\.\w{1,8}")
_FOLDERS = ("templates", "static", "jinja2", "views")


def looks_like_path(text: str) -> bool:
    return _PATH.fullmatch(text) is not None


class NamedFiles:
    """Files by what follows their folder of templates or static files, and by their path."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._paths = frozenset(paths)
        self._inside: dict[str, list[str]] = {}
        for path in sorted(self._paths):
            parts = path.split("/")
            for at, part in enumerate(parts[:-1]):
                if part in _FOLDERS:
                    self._inside.setdefault("/".join(parts[at + 1 :]), []).append(path)

    def find(self, module: str, path: str) -> tuple[str, ...]:
        name = module.removeprefix(NAMED_FILE)
        folder = posixpath.dirname(path)
        inside = self._inside.get(name, [])
        if inside:
            return (min(inside, key=lambda each: (-_shared(folder, each), len(each), each)),)
        for target in (posixpath.normpath(posixpath.join(folder, name)), posixpath.normpath(name)):
            if target in self._paths:
                return (target,)
        return ()


def _shared(folder: str, path: str) -> int:
    return len(posixpath.commonprefix((f"{folder}/", path)))
