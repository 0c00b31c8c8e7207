package android.view.inputmethod;

import android.view.View;

/** [aosp BaseInputConnection.java] Keeps what is typed in a text of its own, unless a class of ours takes it first. */
public class BaseInputConnection implements InputConnection {
    /** For tests: what came so far without being taken. */
    public final StringBuilder text = new StringBuilder();

    public BaseInputConnection(View view, boolean hasText) {}

    @Override
    public boolean commitText(CharSequence text, int cursor) {
        this.text.append(text);
        return true;
    }

    @Override
    public boolean setComposingText(CharSequence text, int cursor) {
        this.text.append(text);
        return true;
    }

    @Override
    public boolean finishComposingText() {
        return true;
    }

    @Override
    public boolean deleteSurroundingText(int before, int after) {
        return true;
    }

    @Override
    public boolean deleteSurroundingTextInCodePoints(int before, int after) {
        return true;
    }

    @Override
    public CharSequence getTextBeforeCursor(int count, int flags) {
        return text;
    }

    @Override
    public CharSequence getTextAfterCursor(int count, int flags) {
        return "";
    }

    @Override
    public CharSequence getSelectedText(int flags) {
        return text;
    }
}
