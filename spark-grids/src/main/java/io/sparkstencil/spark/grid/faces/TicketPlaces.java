/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.faces;

import io.sparkstencil.spark.grid.faces.FaceLog.Put;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Whose the tickets of this process are, by their places. What puts and removes them may ask the
 * driver; nobody waits for that but who has to do with the same place.
 */
final class TicketPlaces {
  private final BiConsumer<Put, ByteBuffer> put;
  private final Consumer<Put> remove;
  private final Map<Put, Place> places = new ConcurrentHashMap<>();

  private static final class Place {
    private Object owner; // guarded by this
    private boolean isGone; // guarded by this
  }

  /**
   * Creates no places.
   *
   * @param put puts a ticket in place of any other
   * @param remove removes a ticket; what it throws is thrown on, and the ticket has no owner then
   */
  TicketPlaces(BiConsumer<Put, ByteBuffer> put, Consumer<Put> remove) {
    this.put = put;
    this.remove = remove;
  }

  /** Puts a ticket, in place of any other that there was. */
  void put(Put where, ByteBuffer ticket, Object owner) {
    while (true) {
      Place place = places.computeIfAbsent(where, same -> new Place());
      synchronized (place) {
        if (!place.isGone) {
          put.accept(where, ticket);
          place.owner = owner;
          return;
        }
      }
    }
  }

  /** Removes a ticket, unless another owner has put one since. */
  void remove(Put where, Object owner) {
    Place place = places.get(where);
    if (place == null) {
      return;
    }
    synchronized (place) {
      if (!place.isGone && place.owner == owner) {
        place.isGone = true;
        try {
          remove.accept(where);
        } finally {
          places.remove(where, place); // not before: the next ticket would be removed, too
        }
      }
    }
  }
}
