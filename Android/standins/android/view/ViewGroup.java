package android.view;

import android.content.Context;
import java.util.ArrayList;
import java.util.List;

public class ViewGroup extends View {
    public static class LayoutParams {
        public static final int MATCH_PARENT = -1;

        public LayoutParams(int width, int height) {}
    }

    /** For tests: what is in it. */
    public final List<View> views = new ArrayList<>();

    public ViewGroup(Context context) {
        super(context);
    }

    public void addView(View view) {
        views.add(view);
    }

    public void addView(View view, LayoutParams parameters) {
        views.add(view);
    }

    public void addView(View view, int width, int height) {
        views.add(view);
    }

    public void removeView(View view) {
        views.remove(view);
    }

    public void removeAllViews() {
        views.clear();
    }

    @Override
    public void leave() {
        for (View view : views) view.leave();
        super.leave();
    }

    @Override
    View found(Object tag) {
        for (View view : views) if (view.found(tag) != null) return view.found(tag);
        return super.found(tag);
    }
}
