"""Dockerfile: build stages, the stages and files that they copy from, the images they stand on."""

from typing import TYPE_CHECKING

from agrama.graph.model import Kind
from agrama.indexer.facts import FileFacts
from agrama.indexer.languages.language import Language, Policy
from agrama.indexer.languages.linked import LinkedExtraction, LinkedModules
from agrama.indexer.languages.typed import Scope

if TYPE_CHECKING:
    from tree_sitter import Node  # noqa: TID251 - a type only

_COPIES = frozenset(("copy_instruction", "add_instruction"))
_FROM = "--from="


def extract_dockerfile(root: "Node", source: bytes, path: str) -> FileFacts:
    """Facts of a Dockerfile; a stage reaches to the next one."""
    x = LinkedExtraction(source, path, root, "dockerfile")
    scope, count = x.file, 0
    for node in root.named_children:
        if node.type == "from_instruction":
            if scope is not x.file:
                scope.end_line = max(scope.line, node.start_point[0])
            scope = _read_stage(x, node, count)
            count += 1
        elif node.type in _COPIES:
            _read_copy(x, node, scope)
    if scope is not x.file:
        scope.end_line = x.file.end_line
    x.finish_uses()
    return x.facts()


def _read_stage(x: LinkedExtraction, node: "Node", count: int) -> Scope:
    alias = node.child_by_field_name("as")
    spec = next((child for child in node.named_children if child.type == "image_spec"), None)
    image = spec.child_by_field_name("name") if spec is not None else None
    named = alias or image or node
    name = x.text(alias) if alias is not None else f"stage {count}"
    if image is not None:
        text = x.text(image)
        if text in x.exports:
            x.use(text, image, x.file)
        elif "$" not in text and text != "scratch":
            x.import_file(text, image, x.file, level=0)
    scope = x.add(Kind.SECTION, name, node, named, x.file)
    x.exports.setdefault(str(count), x.exports.get(name, (scope.register,)))
    return scope


def _read_copy(x: LinkedExtraction, node: "Node", scope: Scope) -> None:
    """`COPY --from=stage`, or files of the project."""
    paths = [child for child in node.named_children if child.type == "path"]
    for child in node.named_children:
        if child.type == "param" and x.text(child).startswith(_FROM):
            stage = x.text(child).removeprefix(_FROM)
            if stage in x.exports:
                x.use(stage, child, scope)
            elif not stage.isdigit() and "$" not in stage:
                x.import_file(stage, child, scope, level=0)
            return
    for path in paths[:-1]:
        text = x.text(path).removeprefix("./")
        if not text.startswith(("$", "/")) and "*" not in text:
            x.import_file(text, path, scope)


LANGUAGES = (
    Language(
        name="dockerfile",
        extensions=(".dockerfile",),
        filenames=("Dockerfile", "Containerfile"),
        grammar="tree_sitter_containerfile:language",
        extract=extract_dockerfile,
        index_modules=LinkedModules,
        policy=Policy(dotted_modules=False),
    ),
)
