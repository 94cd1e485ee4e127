# Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0
"""Stencils on Apache Spark.

The jar of Spark Stencil has to be on the driver's class path (``--jars``), and the session has to be
one of PySpark itself, not of Spark Connect.
"""

from sparkstencil import functions
from sparkstencil._errors import StencilError
from sparkstencil._failures import state_failures
from sparkstencil.grid import Grid, solve
from sparkstencil.plot import plot, plot_field
from sparkstencil.program import Program, gray_scott, heat, wave
from sparkstencil.query import StencilQuery, TileQuery, stencils, tiles
from sparkstencil.rolling import Rolling, rolling

__version__ = "0.2.0"

__all__ = [
    "Grid",
    "Program",
    "Rolling",
    "StencilError",
    "StencilQuery",
    "TileQuery",
    "functions",
    "gray_scott",
    "heat",
    "plot",
    "plot_field",
    "rolling",
    "solve",
    "stencils",
    "tiles",
    "wave",
]

state_failures()
