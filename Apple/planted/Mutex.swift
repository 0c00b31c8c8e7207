// expect: 'Mutex' is only available in (iOS 18\.0|macOS 15\.0) or newer
import Synchronization

struct Counter: ~Copyable {
    let value: Mutex<Int>
}
