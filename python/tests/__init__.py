# Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0
