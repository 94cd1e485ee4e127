/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.kernels.emulator;

import io.sparkstencil.kernels.emulator.Slot.Kind;
import java.util.Locale;

/** Instructions in which lanes of a warp tell each other what they have. */
final class Exchange {
  private static final int SEGMENT = 31;

  private Exchange() {}

  /** Returns the instruction, or null if it is none of these. */
  static PtxInstruction of(Statement statement, Slots slots) {
    return switch (statement.opcode()) {
      case "shfl.sync.idx.b32", "shfl.sync.up.b32", "shfl.sync.down.b32", "shfl.sync.bfly.b32" ->
          new Shuffle(statement, slots);
      case "vote.sync.any.pred", "vote.sync.all.pred", "vote.sync.ballot.b32" ->
          new Vote(statement, slots);
      case "match.any.sync.b32" -> new Match(statement, slots);
      case "activemask.b32" -> new ActiveMask(statement, slots);
      case "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64" ->
          new MatrixProduct(statement, slots, 1, 4);
      case "mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64" ->
          new MatrixProduct(statement, slots, 2, 4);
      case "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64" ->
          new MatrixProduct(statement, slots, 2, 8);
      default -> null;
    };
  }

  /** Returns the lanes that run an instruction together, which all of them must name alike. */
  private static int mask(Warp warp, Slot mask, int lanes) {
    warp.requireDefined(mask.id(), lanes, mask.text());
    int together = warp.narrow[mask.base() + Integer.numberOfTrailingZeros(lanes)];
    for (int left = lanes; left != 0; left &= left - 1) {
      int lane = Integer.numberOfTrailingZeros(left);
      if (warp.narrow[mask.base() + lane] != together) {
        throw EmulatorFault.of(lane, "has another mask than the others");
      }
    }
    if (lanes != warp.lanes().active()) {
      throw new EmulatorFault(
          "lanes %08x of %08x take part".formatted(lanes, warp.lanes().active()));
    }
    return together;
  }

  /** What the lanes of a mask do together, when all of them are there. */
  private abstract static class Meeting extends PtxInstruction {
    private final Slot mask;

    /**
     * Creates the instruction.
     *
     * @param maskOperand which operand the mask is
     */
    Meeting(Statement statement, Slots slots, int maskOperand) {
      super(statement, slots);
      mask = slots.read(Kind.NARROW, statement.operand(maskOperand));
    }

    @Override
    final void run(Warp warp, int lanes) {
      int together = mask(warp, mask, lanes);
      if (warp.lanes().meet(together)) {
        exchange(warp, together);
      }
    }

    abstract void exchange(Warp warp, int together);
  }

  private static final class Shuffle extends Meeting {
    private enum Mode {
      IDX,
      UP,
      DOWN,
      BFLY
    }

    private final Mode mode;
    private final Slot result;
    private final Slot scratch;
    private final Slot inRange; // or null
    private final Slot value;
    private final Slot distance;
    private final Slot clamp;

    Shuffle(Statement statement, Slots slots) {
      super(statement, slots, 4);
      mode = Mode.valueOf(statement.opcode().split("\\.")[2].toUpperCase(Locale.ROOT));
      scratch = slots.scratch(Kind.NARROW);
      String[] targets = statement.operand(0).split("\\|");
      result = slots.read(Kind.NARROW, targets[0]);
      inRange = targets.length > 1 ? slots.read(Kind.PREDICATE, targets[1]) : null;
      value = slots.read(Kind.NARROW, statement.operand(1));
      distance = slots.read(Kind.NARROW, statement.operand(2));
      clamp = slots.read(Kind.NARROW, statement.operand(3));
    }

    @Override
    void exchange(Warp warp, int together) {
      warp.requireDefined(distance.id(), together, distance.text());
      int unknown = 0;
      int inside = 0;
      for (int left = together; left != 0; left &= left - 1) {
        int lane = Integer.numberOfTrailingZeros(left);
        int source = source(warp, lane);
        boolean exists = source >= 0;
        source = exists ? source : lane;
        if (((together >>> source) & 1) == 0) {
          throw EmulatorFault.of(lane, "reads lane %d, which takes no part".formatted(source));
        }
        warp.narrow[scratch.base() + lane] = warp.narrow[value.base() + source];
        unknown |= ((warp.undefined[value.id()] >>> source) & 1) << lane;
        inside |= (exists ? 1 : 0) << lane;
      }
      warp.blend(result, scratch, together);
      warp.setUndefined(result, unknown, together);
      if (inRange != null) {
        warp.setPredicate(inRange, inside, 0, together);
      }
    }

    /** Returns the lane that a lane reads, or a negative number if there is none. */
    private int source(Warp warp, int lane) {
      int by = warp.narrow[distance.base() + lane] & SEGMENT;
      int limits = warp.narrow[clamp.base() + lane];
      int segments = (limits >>> 8) & SEGMENT;
      int last = (lane & segments) | (limits & SEGMENT & ~segments);
      int first = lane & segments;
      return switch (mode) {
        case UP -> lane - by >= last ? lane - by : -1;
        case DOWN -> lane + by <= last ? lane + by : -1;
        case BFLY -> (lane ^ by) <= last ? lane ^ by : -1;
        case IDX -> {
          int source = first | (by & ~segments);
          yield source <= last ? source : -1;
        }
      };
    }
  }

  private static final class Vote extends Meeting {
    private final String mode;
    private final Slot result;
    private final Slot predicate;

    Vote(Statement statement, Slots slots) {
      super(statement, slots, 2);
      mode = statement.opcode().split("\\.")[2];
      Kind kind = mode.equals("ballot") ? Kind.NARROW : Kind.PREDICATE;
      result = slots.read(kind, statement.operand(0));
      predicate = slots.read(Kind.PREDICATE, statement.operand(1));
    }

    @Override
    void exchange(Warp warp, int together) {
      warp.requireDefined(predicate.id(), together, predicate.text());
      int votes = warp.predicates[predicate.index()] & together;
      switch (mode) {
        case "any" -> warp.setPredicate(result, votes != 0 ? Warp.ALL : 0, 0, together);
        case "all" -> warp.setPredicate(result, votes == together ? Warp.ALL : 0, 0, together);
        default -> {
          for (int left = together; left != 0; left &= left - 1) {
            warp.narrow[result.base() + Integer.numberOfTrailingZeros(left)] = votes;
          }
          warp.setUndefined(result, 0, together);
        }
      }
    }
  }

  /** {@code match.any.sync}: tells each lane which lanes have what it has. */
  private static final class Match extends Meeting {
    private final Slot result;
    private final Slot scratch;
    private final Slot value;

    Match(Statement statement, Slots slots) {
      super(statement, slots, 2);
      result = slots.read(Kind.NARROW, statement.operand(0));
      scratch = slots.scratch(Kind.NARROW);
      value = slots.read(Kind.NARROW, statement.operand(1));
    }

    @Override
    void exchange(Warp warp, int together) {
      warp.requireDefined(value.id(), together, value.text());
      for (int left = together; left != 0; left &= left - 1) {
        int lane = Integer.numberOfTrailingZeros(left);
        int alike = 0;
        for (int others = together; others != 0; others &= others - 1) {
          int other = Integer.numberOfTrailingZeros(others);
          boolean same = warp.narrow[value.base() + other] == warp.narrow[value.base() + lane];
          alike |= (same ? 1 : 0) << other;
        }
        warp.narrow[scratch.base() + lane] = alike;
      }
      warp.blend(result, scratch, together);
      warp.setUndefined(result, 0, together);
    }
  }

  private static final class ActiveMask extends PtxInstruction {
    private final Slot result;

    ActiveMask(Statement statement, Slots slots) {
      super(statement, slots);
      result = slots.read(Kind.NARROW, statement.operand(0));
    }

    @Override
    void run(Warp warp, int lanes) {
      for (int left = lanes; left != 0; left &= left - 1) {
        warp.narrow[result.base() + Integer.numberOfTrailingZeros(left)] = lanes;
      }
      warp.setUndefined(result, 0, lanes);
    }
  }
}
