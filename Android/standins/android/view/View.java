package android.view;

import android.content.Context;
import android.graphics.Canvas;
import android.graphics.Rect;
import android.view.accessibility.AccessibilityNodeInfo;
import android.view.inputmethod.EditorInfo;
import android.view.inputmethod.InputConnection;

public class View {
    public interface OnClickListener {
        void onClick(View view);
    }

    public static final int IMPORTANT_FOR_AUTOFILL_NO = 2;

    private final Context context;
    private Object tag;
    private OnClickListener clicked;
    private boolean isFocusable;
    private boolean isFocused;
    /** For tests: what it is painted with. */
    public int color;
    /** For tests: whether a password manager may fill it. */
    public int autofill;

    public View(Context context) {
        this.context = context;
    }

    public final Context getContext() {
        return context;
    }

    public void setTag(Object tag) {
        this.tag = tag;
    }

    public Object getTag() {
        return tag;
    }

    public void setBackgroundColor(int color) {
        this.color = color;
    }

    public void setContentDescription(CharSequence text) {}

    public void setPadding(int left, int top, int right, int bottom) {}

    public void setImportantForAutofill(int mode) {
        autofill = mode;
    }

    public void setOnClickListener(OnClickListener listener) {
        clicked = listener;
    }

    public boolean performClick() {
        if (clicked != null) clicked.onClick(this);
        return clicked != null;
    }

    public void setFocusable(boolean focusable) {
        isFocusable = focusable;
    }

    public void setFocusableInTouchMode(boolean focusable) {
        isFocusable = focusable;
    }

    public final boolean requestFocus() {
        if (!isFocusable) return false;
        isFocused = true;
        onFocusChanged(true, 0, null);
        return true;
    }

    public boolean isFocused() {
        return isFocused;
    }

    public final int getHeight() {
        return 48;
    }

    public final int getWidth() {
        return 320;
    }

    public void invalidate() {}

    public void draw(Canvas canvas) {
        onDraw(canvas);
    }

    public boolean onCheckIsTextEditor() {
        return false;
    }

    public InputConnection onCreateInputConnection(EditorInfo wanted) {
        return null;
    }

    public boolean onKeyDown(int code, KeyEvent event) {
        return false;
    }

    public void onWindowFocusChanged(boolean hasFocus) {}

    public void onInitializeAccessibilityNodeInfo(AccessibilityNodeInfo info) {}

    protected void onDraw(Canvas canvas) {}

    protected void onFocusChanged(boolean isFocused, int direction, Rect former) {}

    protected void onAttachedToWindow() {}

    protected void onDetachedFromWindow() {}

    @SuppressWarnings("unchecked") // [aosp View.java] So does Android's.
    public final <T extends View> T findViewWithTag(Object tag) {
        return (T) found(tag);
    }

    View found(Object tag) {
        return tag.equals(this.tag) ? this : null;
    }

    /** For tests: the window that it was in is gone. */
    public void leave() {
        onDetachedFromWindow();
    }
}
