// expect: missing argument for parameter #1 in call
import Darwin

func start() {
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
}
