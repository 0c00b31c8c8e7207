// replaced by the first suite
