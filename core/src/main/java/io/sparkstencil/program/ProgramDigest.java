/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.program;

import io.sparkstencil.model.Boundary;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** A name for what a program computes, the key of compiled kernels and tuned schedules. */
final class ProgramDigest {
  /** Changes whenever equal digests would no longer mean equal programs. */
  private static final int FORMAT = 1;

  private ProgramDigest() {}

  static String of(StencilProgram program) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeInt(FORMAT);
      out.writeInt(program.dimensions());
      out.writeInt(program.fields().size());
      out.writeUTF(program.accuracy().name());
      out.writeInt(program.nodes().size());
      for (Node node : program.nodes()) {
        write(node, out);
      }
      out.writeInt(program.updates().size());
      for (Update update : program.updates()) {
        out.writeInt(update.node());
      }
      for (FieldBoundary boundary : program.boundaries()) {
        write(boundary.low(), out);
        write(boundary.high(), out);
      }
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(bytes.toByteArray()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /** Writes the bits of constants: the digits that Java gives them depend on its version. */
  private static void write(List<Boundary> sides, DataOutputStream out) throws IOException {
    for (Boundary side : sides) {
      out.writeUTF(side.mode().name());
      out.writeLong(Double.doubleToLongBits(side.constant()));
    }
  }

  private static void write(Node node, DataOutputStream out) throws IOException {
    out.writeUTF(node.getClass().getSimpleName());
    if (node instanceof Node.Tap tap) {
      out.writeInt(tap.field());
      out.writeBoolean(tap.updated());
      for (int distance : tap.offset()) {
        out.writeInt(distance);
      }
    } else if (node instanceof Node.Constant constant) {
      out.writeLong(Double.doubleToLongBits(constant.value()));
    } else if (node instanceof Node.Parameter parameter) {
      out.writeInt(parameter.index());
    } else if (node instanceof Node.Coordinate coordinate) {
      out.writeInt(coordinate.axis());
    } else if (node instanceof Node.Apply apply) {
      out.writeUTF(apply.operation().name());
      for (int operand : apply.operands()) {
        out.writeInt(operand);
      }
    }
  }
}
