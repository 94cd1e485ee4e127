/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.spark.grid.faces;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparkstencil.spark.grid.faces.FaceLog.Put;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tickets of several places, one of which waits for the driver. */
@Timeout(60)
final class TicketPlacesTest {
  private static final Put SLOW = new Put(0, 0);
  private static final ByteBuffer TICKET = ByteBuffer.allocate(1);

  private final CountDownLatch asks = new CountDownLatch(1);
  private final CountDownLatch answer = new CountDownLatch(1);
  private final List<Put> removed = new ArrayList<>();
  private final TicketPlaces places = new TicketPlaces((place, ticket) -> ask(place), removed::add);

  private void ask(Put place) {
    if (place.equals(SLOW)) {
      asks.countDown();
      try {
        answer.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /** In a thread of its own: that of a pool may be the one that waits. */
  private static void begin(Runnable work) {
    Thread thread = new Thread(work);
    thread.setDaemon(true);
    thread.start();
  }

  @Test
  void aTicketThatWaitsForTheDriverHoldsUpNoOther() throws Exception {
    CompletableFuture<Void> slow =
        CompletableFuture.runAsync(() -> places.put(SLOW, TICKET, "slow"), TicketPlacesTest::begin);
    asks.await();
    try {
      for (int index = 1; index < 100; index++) { // some lie together in any table
        Put place = new Put(0, index);
        CompletableFuture.runAsync(() -> places.put(place, TICKET, "fast"), TicketPlacesTest::begin)
            .get(20, TimeUnit.SECONDS);
      }
    } finally {
      answer.countDown();
    }
    slow.get(20, TimeUnit.SECONDS);
  }

  @Test
  void aTicketThatIsPutWhileAnotherIsRemovedStays() throws Exception {
    Set<Put> there = ConcurrentHashMap.newKeySet();
    TicketPlaces slow =
        new TicketPlaces(
            (place, ticket) -> there.add(place),
            place -> {
              ask(place);
              there.remove(place);
            });
    slow.put(SLOW, TICKET, "first");
    CompletableFuture<Void> removal =
        CompletableFuture.runAsync(() -> slow.remove(SLOW, "first"), TicketPlacesTest::begin);
    asks.await();
    CompletableFuture<Void> next =
        CompletableFuture.runAsync(() -> slow.put(SLOW, TICKET, "next"), TicketPlacesTest::begin);
    Thread.sleep(200); // so that it is put now, if it does not wait
    answer.countDown();
    removal.get(20, TimeUnit.SECONDS);
    next.get(20, TimeUnit.SECONDS);
    assertThat(there).containsExactly(SLOW);
  }

  @Test
  void aTicketGoesWithItsOwnerAlone() {
    Put place = new Put(1, 2);
    places.put(place, TICKET, "first");
    places.put(place, TICKET, "second");
    places.remove(place, "first");
    assertThat(removed).isEmpty();
    places.remove(place, "second");
    places.remove(place, "second");
    assertThat(removed).containsExactly(place);
    places.put(place, TICKET, "third");
    places.remove(place, "third");
    assertThat(removed).containsExactly(place, place);
  }
}
