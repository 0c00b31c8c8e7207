package android.view.inputmethod;

import android.view.View;

public final class InputMethodManager {
    /** For tests: the field that the keyboard is up for. */
    public static View shown;

    public boolean showSoftInput(View view, int flags) {
        shown = view;
        return true;
    }

    /** [doc] The keyboard lets go of its connection, and asks the view for another. */
    public void restartInput(View view) {}
}
