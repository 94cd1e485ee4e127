/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * Memory that processes of one host share: {@code PeerMemory} lends it and maps that of others, a
 * {@code FaceMemory} in it has the faces of some states, and a {@code FaceTicket} says where it is.
 */
package io.sparkstencil.kernels.program.shared;
