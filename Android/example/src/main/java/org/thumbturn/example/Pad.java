package org.thumbturn.example;

import android.content.Context;
import android.widget.Button;
import android.widget.LinearLayout;
import android.widget.TextView;
import java.nio.ByteBuffer;
import org.thumbturn.device.SecretBuffer;

/** Keys for a PIN. What is pressed goes into locked memory at once, and is never a {@code String}. */
final class Pad extends LinearLayout implements AutoCloseable {
    static final int LENGTH = 6;

    /** Takes the PIN, and owns it. */
    interface Whole {
        void typed(SecretBuffer pin);
    }

    private final TextView dots;
    private final Whole whole;
    private SecretBuffer pin = new SecretBuffer(LENGTH);
    private int count;

    Pad(Context context, Whole whole) {
        super(context);
        this.whole = whole;
        setOrientation(VERTICAL);
        dots = new TextView(context);
        dots.setTextSize(32);
        addView(dots);
        for (String keys : new String[] {"123", "456", "789", "<0"}) {
            LinearLayout row = new LinearLayout(context);
            for (char key : keys.toCharArray()) row.addView(button(context, key));
            addView(row);
        }
        show();
    }

    private Button button(Context context, char key) {
        Button button = new Button(context);
        button.setText(key == '<' ? "⌫" : String.valueOf(key));
        button.setContentDescription(key == '<' ? "Delete" : String.valueOf(key));
        button.setOnClickListener(pressed -> press(key));
        return button;
    }

    private void press(char key) {
        if (pin == null) return;
        ByteBuffer bytes = pin.bytes();
        if (key == '<') {
            if (count > 0) bytes.put(--count, (byte) 0);
        } else {
            bytes.put(count++, (byte) key);
        }
        show();
        if (count < LENGTH) return;
        SecretBuffer taken = pin;
        pin = null;
        whole.typed(taken);
    }

    private void show() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < LENGTH; i++) text.append(i < count ? '●' : '○');
        dots.setText(text);
    }

    /** Wipes what was typed and not given away. */
    @Override
    public void close() {
        if (pin != null) pin.close();
        pin = null;
    }
}
