"""Whether other users of this machine could have written a file. What is executed must come from this user or from root.

The rules are those of OpenSSH for its keys (`StrictModes`). Every folder on the way to a file, also behind symbolic links, belongs
to this user or to root, and nobody else may write to it. A folder with the sticky bit, such as /tmp, may lie on the way: others may
add files there, but not replace ours.
"""

from __future__ import annotations

import errno
import functools
import grp
import os
import pwd
import stat

_MOST_LINKS = 40  # as Linux


def is_private(found: os.stat_result) -> bool:
    """Whether only this user and root could have written a file."""
    return _is_trusted(found.st_uid) and not _others_may_write(found)


def weakness(folder: str) -> str | None:
    """Why other users could write what lies in a folder; None if they could not.

    Raises:
        OSError: the folder is not there, or cannot be reached; what comes before it on the way is as it should be.
    """
    here, names, links = "/", _names(os.path.join(os.getcwd(), folder)), 0
    while True:
        found = os.lstat(here)
        if not _is_trusted(found.st_uid):
            return f"{here} belongs to {_user(found.st_uid)}"
        if stat.S_ISLNK(found.st_mode):
            links += 1
            if links > _MOST_LINKS:
                raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), folder)
            target = os.readlink(here)
            here = "/" if target.startswith("/") else os.path.dirname(here)
            names = _names(target) + names
        elif _others_may_write(found) and not (names and found.st_mode & stat.S_ISVTX):
            return f"other users may write to {here}"
        if not names:
            return None
        name = names.pop(0)
        here = os.path.dirname(here) if name == ".." else os.path.join(here, name)


def _names(path: str) -> list[str]:
    return [name for name in path.split("/") if name not in ("", ".")]


def _is_trusted(user: int) -> bool:
    return user in (0, os.geteuid())


def _others_may_write(found: os.stat_result) -> bool:
    if found.st_mode & stat.S_IWOTH:
        return True
    return bool(found.st_mode & stat.S_IWGRP) and not _is_own_group(found.st_gid, os.geteuid())


@functools.cache
def _is_own_group(group: int, user: int) -> bool:
    """Whether a group is the user's private one, which has the user's name and no other members; such users have umask 002."""
    try:
        name, found = pwd.getpwuid(user).pw_name, grp.getgrgid(group)
    except KeyError:
        return False
    return found.gr_name == name and not set(found.gr_mem) - {name}


def _user(user: int) -> str:
    try:
        return f"the user {pwd.getpwuid(user).pw_name}"
    except KeyError:
        return f"the user {user}"
