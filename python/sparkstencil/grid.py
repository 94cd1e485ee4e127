# Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0
"""Grids of cells, cut into blocks over executors, on which a program takes many steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Optional, Union

from pyspark.sql import DataFrame, SparkSession

from sparkstencil._errors import StencilError
from sparkstencil._java import Java, errors, whole
from sparkstencil.program import Program

_TYPES = {"f32": ("F32", "asFloatBuffer", "f", 4), "f64": ("F64", "asDoubleBuffer", "d", 8)}


def solve(
    spark: SparkSession,
    program: Union[Program, str],
    extent: Union[int, Sequence[int]],
    steps: int = 0,
    *,
    rows: Optional[DataFrame] = None,
    files: Optional[Mapping[str, str]] = None,
    raw: Sequence[str] = (),
    parameters: Optional[Mapping[str, float]] = None,
    type: str = "f64",
    blocks: Optional[int] = None,
    engine: str = "auto",
) -> Grid:
    """Returns a grid after some steps of a program; more are taken by :meth:`Grid.step`.

    Args:
        extent: the cells along each axis, slowest axis first; a number, if there is one axis.
        rows: the first cells: columns ``x``, ``y``, ``z`` with integers from 0, as many as there are
            axes, and a column for each field that does not begin with 0, or is only read; cells
            without a row are 0.
        files: the first cells of fields: paths of NumPy files or Zarr arrays with this extent.
            Packed numbers are decoded, and missing values become NaN.
        raw: the fields whose files are read as their numbers are stored.
        parameters: a value for each parameter of the program.
        type: of the cells, ``f64`` or ``f32``.
        blocks: how many there are; without it as many as make steps fast.

    Raises:
        StencilError: if something is wrong, before any work.
    """
    wanted = Program(program) if isinstance(program, str) else program
    if type not in _TYPES:
        raise StencilError(f"cells of type {type}; use one of {', '.join(_TYPES)}")
    java = Java(spark)
    cells = [extent] if isinstance(extent, int) else list(extent)
    steps = whole(steps, "steps")
    with errors():
        made = wanted._of(java)
        grids = java.type("io.sparkstencil.spark.grid.StencilGrids")
        builder = grids.builder(spark._jsparkSession, made).extent(java.longs(cells, "extent"))
        builder.type(java.type("io.sparkstencil.model.ElementType").valueOf(_TYPES[type][0]))
        builder.engine(engine)
        for name, value in (parameters or {}).items():
            builder.parameter(name, float(value))
        raw = (raw,) if isinstance(raw, str) else raw
        for name in raw:
            if name not in (files or {}):
                raise StencilError(f"raw field {name} has no file; name it in files")
        for name, path in (files or {}).items():
            if name in raw:
                paths = java.type("io.sparkstencil.spark.files.paths.FieldPaths")
                builder.file(name, paths.rawSource(path))
            else:
                builder.file(name, path)
        if rows is not None:
            axes = list(made.axes())
            columns = {name: name for name in made.fields() if name in rows.columns}
            builder.rows(rows._jdf, java.text_list(axes), java.text_map(columns))
        if blocks is not None:
            builder.blocks(whole(blocks, "blocks"))
        grid = Grid(java, builder.create(), type)
    if not steps:
        return grid
    try:
        return grid.step(steps)
    except BaseException:
        grid.close()  # nobody else has it
        raise


class Grid:
    """A state of a grid: its cells after a number of steps. Close it, or use it in ``with``.

    Fields are read as memory views of the grid's shape, which ``numpy.asarray`` takes as they are.
    """

    def __init__(self, java: Java, grid: Any, type: str) -> None:
        self._java = java
        self._grid = grid
        self._type = type

    def __repr__(self) -> str:
        return f"<Grid of {' x '.join(map(str, self.extent))} cells after {self.steps} steps>"

    def step(self, count: int) -> Grid:
        """Takes ``count`` steps now, at least 0, and returns the state after them."""
        with errors():
            return Grid(self._java, self._grid.step(whole(count, "steps")), self._type)

    @property
    def steps(self) -> int:
        """The number of steps taken since the first cells."""
        return int(self._grid.steps())

    @property
    def extent(self) -> tuple[int, ...]:
        """The cells along each axis, slowest axis first."""
        return tuple(int(cells) for cells in self._grid.extent())

    def min(self, field: str) -> float:
        """Returns the smallest cell of a field that is not NaN; NaN if all are."""
        with errors():
            return float(self._grid.min(field))

    def max(self, field: str) -> float:
        """Returns the greatest cell of a field that is not NaN; NaN if all are."""
        with errors():
            return float(self._grid.max(field))

    def sum(self, field: str) -> float:
        """Returns the exact sum of the cells of a field that are not NaN, rounded once."""
        with errors():
            return float(self._grid.sum(field))

    def read(self, field: str) -> memoryview:
        """Returns all cells of a field, of shape ``extent`` and format ``d`` or ``f``.

        All of them come to the driver: the grid has to be small enough for its memory.
        """
        _, view, letter, width = _TYPES[self._type]
        count = 1
        for cells in self.extent:
            count *= cells
        with errors():
            buffer = self._java.type("java.nio.ByteBuffer").allocate(width * count)
            order = self._java.type("java.nio.ByteOrder").nativeOrder()
            getattr(buffer.order(order), view)().put(self._grid.read(field))
        return memoryview(buffer.array()).cast("B").cast(letter, self.extent)

    def to_df(self) -> DataFrame:
        """Returns a row per cell: its position, and its value in each field."""
        with errors():
            return self._java.frame(self._grid.toDataset())

    def write_npy(self, field: str, path: str) -> None:
        """Writes a field as a NumPy file on a file system that executors share."""
        with errors():
            self._grid.writeNpy(field, path)

    def write_zarr(self, path: str) -> None:
        """Writes all fields as a Zarr group: an array per field, a chunk per block."""
        with errors():
            self._grid.writeZarr(path)

    def close(self) -> None:
        """Frees what executors hold of the grid, in all its states."""
        self._grid.close()

    def __enter__(self) -> Grid:
        return self

    def __exit__(
        self,
        kind: Optional[type[BaseException]],
        thrown: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self.close()
