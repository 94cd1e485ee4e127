/* Copyright the Spark Stencil authors. SPDX-License-Identifier: Apache-2.0 */
package io.sparkstencil.jobs.survey.page;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.Shape;
import java.awt.geom.Ellipse2D;
import java.awt.geom.Line2D;
import java.awt.geom.Path2D;
import java.awt.geom.Rectangle2D;
import org.knowm.xchart.style.markers.Marker;

/** A mark at a measurement: filled, or hollow for those of the other device. */
final class Mark extends Marker {
  private static final BasicStroke OUTLINE = new BasicStroke(1.6f);

  /** The forms, told apart in grey, too. */
  enum Form {
    CIRCLE,
    SQUARE,
    TRIANGLE,
    DIAMOND,
    POINT_DOWN,
    /** The end of a bar; no mark of a measurement, and neither is the next. */
    BAR,
    /** A prediction without others beside it. */
    DASH;

    private Shape at(double x, double y, double size) {
      double half = size / 2;
      return switch (this) {
        case CIRCLE -> new Ellipse2D.Double(x - half, y - half, size, size);
        case SQUARE -> new Rectangle2D.Double(x - half, y - half, size, size);
        case TRIANGLE -> polygon(x, y - half, x + half, y + half, x - half, y + half);
        case DIAMOND -> polygon(x, y - half, x + half, y, x, y + half, x - half, y);
        case POINT_DOWN -> polygon(x - half, y - half, x + half, y - half, x, y + half);
        case BAR -> new Line2D.Double(x - half, y, x + half, y);
        case DASH -> new Line2D.Double(x - 2 * size, y, x + 2 * size, y);
      };
    }

    private static Shape polygon(double... corners) {
      Path2D path = new Path2D.Double();
      path.moveTo(corners[0], corners[1]);
      for (int i = 2; i < corners.length; i += 2) {
        path.lineTo(corners[i], corners[i + 1]);
      }
      path.closePath();
      return path;
    }
  }

  private final Form form;
  private final boolean hollow;

  Mark(Form form, boolean hollow) {
    this.form = form;
    this.hollow = hollow;
  }

  @Override
  public void paint(Graphics2D graphics, double x, double y, int size) {
    Shape shape = form.at(x, y, size);
    Color color = graphics.getColor();
    graphics.setStroke(OUTLINE);
    if (form != Form.BAR && form != Form.DASH) {
      graphics.setColor(hollow ? Color.WHITE : color);
      graphics.fill(shape);
    }
    graphics.setColor(color);
    graphics.draw(shape);
  }
}
