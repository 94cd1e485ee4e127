# Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0
"""The error of this package. Nothing here needs Py4J, which clients of Spark Connect lack."""


class StencilError(ValueError):
    """What was asked for cannot be done; the message says what, the limit and the remedy."""


StencilError.__module__ = "sparkstencil"  # where users import it from, and what tracebacks print
