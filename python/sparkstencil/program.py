# Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0
"""Stencil programs: any arithmetic on neighbouring cells, in one to three dimensions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Optional

from sparkstencil._java import Java

_PROGRAM = "io.sparkstencil.program."


@dataclass(frozen=True)
class Program:
    """A program as text, such as ``u' = u + a*(u[-1] - 2*u + u[1])``; see docs/programs.md.

    Attributes:
        text: the program.
        boundary: the rules outside of the grid, such as ``wrap`` or ``x=wrap, y.low=constant:1``;
            without it they are those of the program, ``reflect``.
        axes: how many axes it has, 1 to 3; without it as many as in its first brackets.
    """

    text: str
    boundary: Optional[str] = None
    axes: Optional[int] = None
    _equation: tuple[Any, ...] = field(default=(), repr=False)

    def _of(self, java: Java) -> Any:
        """Returns the Java program; raises what Java raises."""
        if self._equation:
            make = java.type(_PROGRAM + "generate.Equations")
            made = getattr(make, self._equation[0])(*self._equation[1:])
        else:
            axes = () if self.axes is None else (self.axes,)
            made = java.type(_PROGRAM + "text.ProgramText").parse(self.text, *axes)
        if self.boundary is None:
            return made
        return java.type(_PROGRAM + "text.BoundaryText").apply(made, self.boundary)


def heat(
    axes: int,
    dt: float,
    *,
    diffusivity: float = 1.0,
    spacing: float = 1.0,
    accuracy: int = 2,
    boundary: Optional[str] = None,
) -> Program:
    """Returns a step of the heat equation for the field u; too long a dt is refused when used."""
    values = ("heat", axes, accuracy, float(diffusivity), float(spacing), float(dt))
    return Program("heat equation", boundary, axes, values)


def wave(
    axes: int,
    dt: float,
    *,
    speed: float = 1.0,
    spacing: float = 1.0,
    accuracy: int = 2,
    boundary: Optional[str] = None,
) -> Program:
    """Returns a step of the wave equation for the fields u and previous."""
    values = ("wave", axes, accuracy, float(speed), float(spacing), float(dt))
    return Program("wave equation", boundary, axes, values)


def gray_scott(
    axes: int,
    dt: float = 1.0,
    *,
    diffusivity_u: float = 0.16,
    diffusivity_v: float = 0.08,
    feed: float = 0.035,
    kill: float = 0.065,
    spacing: float = 1.0,
    boundary: Optional[str] = "wrap",
) -> Program:
    """Returns a step of Gray and Scott's reaction for the fields u and v."""
    rates = (float(diffusivity_u), float(diffusivity_v), float(feed), float(kill))
    return Program(
        "Gray and Scott", boundary, axes, ("grayScott", axes, *rates, float(spacing), float(dt))
    )
