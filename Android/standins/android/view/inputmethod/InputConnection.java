package android.view.inputmethod;

public interface InputConnection {
    boolean commitText(CharSequence text, int cursor);

    boolean setComposingText(CharSequence text, int cursor);

    boolean finishComposingText();

    boolean deleteSurroundingText(int before, int after);

    boolean deleteSurroundingTextInCodePoints(int before, int after);

    CharSequence getTextBeforeCursor(int count, int flags);

    CharSequence getTextAfterCursor(int count, int flags);

    CharSequence getSelectedText(int flags);
}
