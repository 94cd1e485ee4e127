/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.cuda;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The live handles of one driver: what has been made and not yet closed. Tests end with none. Safe
 * for many threads.
 */
public final class HandleRegistry {
  private final AtomicLong nextId = new AtomicLong(1);
  private final ConcurrentMap<Long, String> live = new ConcurrentHashMap<>();

  long register(String kind) {
    long id = nextId.getAndIncrement();
    live.put(id, kind + "#" + id);
    return id;
  }

  void unregister(long id) {
    live.remove(id);
  }

  /** Returns the number of live handles of all kinds. */
  public int count() {
    return live.size();
  }

  /** Returns the number of live handles of one kind, such as {@code DeviceBuffer}. */
  public int count(String kind) {
    return (int) live.values().stream().filter(name -> name.startsWith(kind + "#")).count();
  }

  /** Returns the names of live handles, such as {@code DeviceBuffer#12}, oldest first. */
  public List<String> names() {
    Collection<Long> ids = live.keySet();
    return ids.stream().sorted().map(live::get).filter(name -> name != null).toList();
  }
}
