import typing
from typing import NamedTuple


class Style:
    def render(self):
        pass


class Segment(NamedTuple):
    text: str
    style: Style
    control: typing.Optional[int] = None


def draw(segments: list[Segment]):
    for text, style, _ in segments:
        style.render()  #: calls Style.render
    segments[0][1].render()  #: calls Style.render
    segments[0].style.render()  #: calls Style.render
