package org.thumbturn.device;

import android.content.Context;
import android.graphics.Canvas;
import android.graphics.Color;
import android.graphics.Paint;
import android.graphics.Typeface;
import android.view.View;
import java.nio.ByteBuffer;

/**
 * Shows a secret, such as a recovery key or a wallet's words: drawn sign by sign out of locked memory, and never the text of a view.
 *
 * <p>It is wiped when the window loses the focus or is left. Nothing can be copied, and a screen reader is told nothing.
 */
public final class SecretText extends View {
    private static final float LINE = 1.5f;

    private final Paint paint = new Paint(Paint.ANTI_ALIAS_FLAG);
    private final char[] sign = new char[1];
    private SecretBuffer secret;

    public SecretText(Context context) {
        super(context);
        paint.setColor(Color.GRAY); // seen on white and on black
        paint.setTypeface(Typeface.MONOSPACE);
        paint.setTextSize(16 * context.getResources().getDisplayMetrics().scaledDensity);
    }

    /** Shows a secret of ASCII, and owns it. */
    public void show(SecretBuffer shown) {
        clear();
        secret = shown;
        invalidate();
    }

    /** Wipes it. */
    public void clear() {
        if (secret != null) secret.close();
        secret = null;
        invalidate();
    }

    @Override
    protected void onDraw(Canvas canvas) {
        if (secret == null) return;
        ByteBuffer bytes = secret.bytes();
        float height = paint.getTextSize() * LINE;
        sign[0] = '0';
        float width = paint.measureText(sign, 0, 1);
        int most = Math.max(1, (int) (getWidth() / width));
        int column = 0;
        int row = 1;
        for (int index = 0; index < bytes.limit(); index++) {
            sign[0] = (char) (bytes.get(index) & 0x7F);
            if (column > 0 && column + wordLength(bytes, index) > most) {
                row++;
                column = 0;
            }
            if (sign[0] == ' ' && column == 0) continue;
            canvas.drawText(sign, 0, 1, column * width, row * height, paint);
            column++;
        }
        sign[0] = 0;
    }

    /** How far it is to the end of the word that begins here; 1 inside of one. */
    private static int wordLength(ByteBuffer bytes, int start) {
        if (start > 0 && bytes.get(start - 1) != ' ') return 1;
        int end = start;
        while (end < bytes.limit() && bytes.get(end) != ' ') end++;
        return Math.max(1, end - start);
    }

    @Override
    public void onWindowFocusChanged(boolean hasFocus) {
        super.onWindowFocusChanged(hasFocus);
        if (!hasFocus) clear();
    }

    @Override
    protected void onDetachedFromWindow() {
        clear();
        super.onDetachedFromWindow();
    }
}
