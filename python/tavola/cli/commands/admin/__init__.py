"""The commands of `tavola admin`, in the order in which help lists them."""

from tavola.cli.commands.admin.accounts import (
    accounts,
    disable,
    erase,
    export,
    grant,
    mute,
    password_link,
    rename,
    restore,
    revoke,
    unmute,
)
from tavola.cli.commands.admin.addresses import ban, bans, unban
from tavola.cli.commands.admin.chat import close_report, delete_line, reports
from tavola.cli.commands.admin.site import announce, check, figures, log

ADMIN_COMMANDS = (
    accounts,
    rename,
    password_link,
    disable,
    restore,
    grant,
    revoke,
    mute,
    unmute,
    export,
    erase,
    ban,
    unban,
    bans,
    reports,
    delete_line,
    close_report,
    announce,
    figures,
    check,
    log,
)
