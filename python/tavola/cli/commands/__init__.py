"""The commands of the command line, a module each, in the order in which help lists them.

A command has its parameters in its signature and imports what it does when it is called.
`context.obj` is the `Translator` of the reader's language.
"""

from tavola.cli.commands.analyse import analyse
from tavola.cli.commands.archive import archive
from tavola.cli.commands.bench import bench
from tavola.cli.commands.check import check
from tavola.cli.commands.explore import explore
from tavola.cli.commands.export import export
from tavola.cli.commands.fit import fit
from tavola.cli.commands.games import games
from tavola.cli.commands.match import match
from tavola.cli.commands.perft import perft
from tavola.cli.commands.picture import picture
from tavola.cli.commands.play import play
from tavola.cli.commands.puzzles import puzzles
from tavola.cli.commands.report import report
from tavola.cli.commands.rules import rules
from tavola.cli.commands.serve import serve
from tavola.cli.commands.solve import solve
from tavola.cli.commands.train import train
from tavola.cli.commands.ugi import ugi
from tavola.cli.commands.verify import verify
from tavola.cli.commands.version import version

COMMANDS = (
    serve,
    games,
    rules,
    play,
    check,
    perft,
    bench,
    analyse,
    verify,
    match,
    fit,
    report,
    puzzles,
    export,
    archive,
    explore,
    train,
    solve,
    picture,
    ugi,
    version,
)
