package android.view;

import android.content.Context;

public class View {
    private Object tag;
    /** For tests: what it is painted with. */
    public int color;

    public View(Context context) {}

    public void setTag(Object tag) {
        this.tag = tag;
    }

    public Object getTag() {
        return tag;
    }

    public void setBackgroundColor(int color) {
        this.color = color;
    }

    @SuppressWarnings("unchecked") // [aosp View.java] So does Android's.
    public final <T extends View> T findViewWithTag(Object tag) {
        return (T) found(tag);
    }

    View found(Object tag) {
        return tag.equals(this.tag) ? this : null;
    }
}
