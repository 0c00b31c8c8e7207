package android.app;

import android.os.Bundle;
import android.view.View;

/** For the compiler alone, as far as the example calls it. */
public class Activity extends android.content.Context {
    public Application getApplication() {
        throw new UnsupportedOperationException();
    }

    public void setContentView(View view) {}

    protected void onCreate(Bundle state) {}

    protected void onDestroy() {}
}
