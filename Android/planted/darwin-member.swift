// expect: value of type 'stat' has no member 'st_mtimespec'
import Android

func modified(_ status: stat) -> Int { status.st_mtimespec.tv_sec }
