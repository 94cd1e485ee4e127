/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
/**
 * How faces travel between executors: the log in the block managers, and pushes over Spark's own
 * transport.
 *
 * <ul>
 *   <li>To log: {@code FaceLog} puts faces into block managers and fetches them from there.
 *   <li>To push: {@code PushedFaces} are those of a block, a {@code PushedFace} each; {@code
 *       FacePusher} is the one of a process, {@code PushRun} has what it pushes of a run, {@code
 *       PushPeer} the connections to another executor, {@code PushTransport} the server, which
 *       takes {@code StreamsAlone}.
 *   <li>To be found: {@code PushTicket}, with a {@code PushSecret}; {@code TicketPlaces} knows
 *       those of a process.
 *   <li>To send: {@code PushHeader} goes before the cells, {@code PushAnswer} comes back; a {@code
 *       PushBody} has the {@code FaceBytes}, which lie in memory near to the GPU or in a {@code
 *       HeapFace}.
 *   <li>To receive: {@code PushArrival} is a face on its way in, {@code PushInbox} has the places
 *       of a block, each a {@code PushSlot}, {@code PushRoom} the memory of all.
 * </ul>
 */
package io.sparkstencil.spark.grid.faces;
