package android.os;

public final class CancellationSignal {
    public interface OnCancelListener {
        void onCancel();
    }

    private boolean isCanceled;
    private OnCancelListener listener;

    public void cancel() {
        OnCancelListener told;
        synchronized (this) {
            if (isCanceled) return;
            isCanceled = true;
            told = listener;
        }
        if (told != null) told.onCancel();
    }

    /** [aosp CancellationSignal.java] A listener that comes late is called at once. */
    public void setOnCancelListener(OnCancelListener listener) {
        synchronized (this) {
            this.listener = listener;
            if (!isCanceled) return;
        }
        listener.onCancel();
    }

    public synchronized boolean isCanceled() {
        return isCanceled;
    }
}
