"""What a suite is given."""

import sys

from daemon import Daemon, Store


class Run:
    """One suite on one store."""

    def __init__(self, name, store, scratch, options):
        self.kind, self.scratch, self.options = store, scratch, options
        self.is_full = options.full
        self.title = f"{name} ({'SQLite' if store == 'sqlite' else 'PostgreSQL'})"
        self.daemons = []
        self.stores = []

    def store(self):
        """A database that nothing is in."""
        self.stores.append(Store(self.kind, self.scratch))
        return self.stores[-1]

    def end(self):
        """Leaves nothing running, and nothing on a server."""
        for one in self.daemons:
            one.__exit__()
        for store in self.stores:
            store.remove()

    def daemon(self, *options, store=None, **more):
        """A running service, by default on a database of its own."""
        one = Daemon(store or self.store(), *options, **more)
        self.daemons.append(one)
        return one

    def say(self, text):
        print(f"peers: {self.title}: {text}", flush=True)

    def show_log(self):
        """What the services wrote last."""
        for one in self.daemons:
            sys.stderr.writelines(one.lines[-20:])
