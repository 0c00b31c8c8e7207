package org.thumbturn.device;

import android.content.Context;
import android.graphics.Canvas;
import android.graphics.Color;
import android.graphics.Paint;
import android.graphics.Rect;
import android.text.InputType;
import android.view.KeyEvent;
import android.view.View;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.inputmethod.BaseInputConnection;
import android.view.inputmethod.EditorInfo;
import android.view.inputmethod.InputConnection;
import android.view.inputmethod.InputMethodManager;
import java.nio.ByteBuffer;

/**
 * Asks for a PIN or password: what is typed lies in locked memory, and is never the text of a view.
 *
 * <p>It shows dots. The keyboard finds no text here, suggests and learns nothing; nothing can be copied or pasted, and a screen
 * reader is told no value. What was typed is wiped when the window loses the focus or is left.
 *
 * <p>Each key still comes as a text of the keyboard's, whose copy nobody wipes.
 */
public final class SecretField extends View {
    /** Who is told what was typed. */
    public interface Listener {
        /** What stands there after a change, which the listener owns, and how many characters; null and 0 when it is empty. */
        void typed(SecretBuffer secret, int count);
    }

    private static final int MOST_BYTES = 1024;

    private final Listener listener;
    private final Paint paint = new Paint(Paint.ANTI_ALIAS_FLAG);
    private boolean isPIN = true;
    private SecretBuffer typed;
    private int byteCount;
    private int count;

    public SecretField(Context context, Listener listener) {
        super(context);
        this.listener = listener;
        paint.setColor(Color.GRAY); // seen on white and on black
        setFocusable(true);
        setFocusableInTouchMode(true);
        setImportantForAutofill(IMPORTANT_FOR_AUTOFILL_NO);
        setOnClickListener(clicked -> openKeyboard());
    }

    /** A PIN has the keyboard of digits. */
    public void setPIN(boolean isPIN) {
        if (this.isPIN == isPIN) return;
        this.isPIN = isPIN;
        clear();
        keyboard().restartInput(this); // it asks anew which keys there are
    }

    /** Wipes what was typed. */
    public void clear() {
        if (typed == null) return;
        typed.close();
        typed = null;
        byteCount = count = 0;
        keyboard().restartInput(this);
        tell();
    }

    /** Takes away what was typed last, and adds a text. */
    void replace(int removed, CharSequence added) {
        for (int left = removed; left > 0 && count > 0; left--) removeLast();
        added.codePoints().forEach(this::append);
        tell();
    }

    private void tell() {
        invalidate();
        listener.typed(count == 0 ? null : copy(), count);
    }

    private void append(int codePoint) {
        if (Character.isISOControl(codePoint) || byteCount + SecretBuffer.byteCount(codePoint) > MOST_BYTES) return;
        if (typed == null) typed = new SecretBuffer(MOST_BYTES);
        ByteBuffer bytes = typed.bytes();
        bytes.position(byteCount);
        SecretBuffer.put(codePoint, bytes);
        byteCount = bytes.position();
        count++;
    }

    private void removeLast() {
        count--;
        ByteBuffer bytes = typed.bytes();
        boolean isStart;
        do {
            isStart = (bytes.get(--byteCount) & 0xC0) != 0x80;
            bytes.put(byteCount, (byte) 0);
        } while (!isStart);
    }

    private SecretBuffer copy() {
        SecretBuffer copy = new SecretBuffer(byteCount);
        ByteBuffer bytes = typed.bytes();
        bytes.limit(byteCount);
        copy.bytes().put(bytes);
        return copy;
    }

    private InputMethodManager keyboard() {
        return getContext().getSystemService(InputMethodManager.class);
    }

    private void openKeyboard() {
        if (requestFocus()) keyboard().showSoftInput(this, 0);
    }

    @Override
    public boolean onCheckIsTextEditor() {
        return true;
    }

    @Override
    public InputConnection onCreateInputConnection(EditorInfo wanted) {
        wanted.inputType = isPIN
            ? InputType.TYPE_CLASS_NUMBER | InputType.TYPE_NUMBER_VARIATION_PASSWORD
            : InputType.TYPE_CLASS_TEXT | InputType.TYPE_TEXT_VARIATION_PASSWORD | InputType.TYPE_TEXT_FLAG_NO_SUGGESTIONS;
        wanted.imeOptions = EditorInfo.IME_ACTION_DONE | EditorInfo.IME_FLAG_NO_EXTRACT_UI | EditorInfo.IME_FLAG_NO_PERSONALIZED_LEARNING;
        return new Keys(this);
    }

    /** A key of a keyboard with wires, or one that a soft keyboard sends as such. */
    @Override
    public boolean onKeyDown(int code, KeyEvent event) {
        int typed = event.getUnicodeChar();
        if (code == KeyEvent.KEYCODE_DEL) replace(1, "");
        else if (typed > 0 && !Character.isISOControl(typed)) replace(0, new String(Character.toChars(typed)));
        else return super.onKeyDown(code, event);
        return true;
    }

    @Override
    protected void onDraw(Canvas canvas) {
        float size = getHeight() / 8f;
        for (int index = 0; index < count; index++) canvas.drawCircle(size * (2 + 3 * index), getHeight() / 2f, size, paint);
        if (isFocused()) canvas.drawRect(size * (1 + 3 * count), size * 2, size * (1 + 3 * count) + size / 4, size * 6, paint);
    }

    @Override
    protected void onFocusChanged(boolean isFocused, int direction, Rect former) {
        super.onFocusChanged(isFocused, direction, former);
        invalidate();
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

    @Override
    public void onInitializeAccessibilityNodeInfo(AccessibilityNodeInfo info) {
        super.onInitializeAccessibilityNodeInfo(info);
        info.setClassName("android.widget.EditText");
        info.setEditable(true);
        info.setPassword(true);
    }

    /** Takes each text before any buffer of the framework's does, and has none to show. */
    private static final class Keys extends BaseInputConnection {
        private final SecretField field;
        /** How many characters the keyboard still means to change. */
        private int composing;

        Keys(SecretField field) {
            super(field, false);
            this.field = field;
        }

        @Override
        public boolean commitText(CharSequence text, int cursor) {
            field.replace(composing, text);
            composing = 0;
            return true;
        }

        @Override
        public boolean setComposingText(CharSequence text, int cursor) {
            int before = field.count - Math.min(composing, field.count);
            field.replace(composing, text);
            composing = field.count - before;
            return true;
        }

        @Override
        public boolean finishComposingText() {
            composing = 0;
            return true;
        }

        @Override
        public boolean deleteSurroundingText(int before, int after) {
            field.replace(before, "");
            composing = 0;
            return true;
        }

        @Override
        public boolean deleteSurroundingTextInCodePoints(int before, int after) {
            return deleteSurroundingText(before, after);
        }

        @Override
        public CharSequence getTextBeforeCursor(int count, int flags) {
            return "";
        }

        @Override
        public CharSequence getTextAfterCursor(int count, int flags) {
            return "";
        }

        @Override
        public CharSequence getSelectedText(int flags) {
            return null;
        }
    }
}
