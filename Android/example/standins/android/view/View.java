package android.view;

import android.content.Context;

public class View {
    public View(Context context) {}

    public interface OnClickListener {
        void onClick(View view);
    }

    public void setOnClickListener(OnClickListener listener) {}

    public void setContentDescription(CharSequence text) {}

    public void setPadding(int left, int top, int right, int bottom) {}
}
