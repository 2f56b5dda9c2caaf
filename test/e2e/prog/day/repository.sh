# A day's use of git, in a folder that is empty. Always prints the same.
export GIT_AUTHOR_NAME=Author GIT_AUTHOR_EMAIL=author@example.com GIT_COMMITTER_NAME=Committer GIT_COMMITTER_EMAIL=committer@example.com
export GIT_AUTHOR_DATE="2024-01-02T03:04:05Z" GIT_COMMITTER_DATE="2024-01-02T03:04:05Z"
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_SYSTEM=/dev/null HOME=$PWD GIT_PAGER=cat
git init -q -b main work
cd work || exit 2
git config gc.auto 0
git config core.autocrlf false
for i in 1 2 3 4 5 6; do
	seq $((i * 40)) > numbers
	mkdir -p "folder$i"
	seq $i 300 | sed "s/^/line of $i: /" > "folder$i/text"
	git add -A
	git commit -q -m "commit $i" -m "with a body"
done
git log --stat --format='%H %an %s'
git checkout -q -b side HEAD~3
echo changed > folder1/text
git commit -q -am "on the side"
git rm -q folder2/text
git mv folder3/text folder3/renamed
git commit -q -m "removed and renamed"
git diff -M --stat main side
git checkout -q main
git merge side -m merged
sed -i 's/^7$/seven/' numbers
git stash -q
git stash list --format=%gd
git stash pop -q
git diff
git commit -q -am "seven"
git checkout -q -b conflict HEAD~1
sed -i 's/^7$/another seven/' numbers
git commit -q -am "another"
git merge main
git status --short --branch
git checkout -q --theirs numbers
git commit -q -am "settled"
git rebase -q main > rebased 2>&1
echo "rebase $?"
git rebase --abort
git blame -s numbers | head -12
git grep -n 'line of 1: 29' | head -5
git log --graph --oneline --all
git tag -a v1 -m "version 1"
git describe --always --long HEAD
git archive --format=tar HEAD | sha256sum
git repack -q -a -d --threads=1
git count-objects -v | grep -v size
git fsck --full 2>&1 | sort
git bundle create -q ../all.bundle --all
cd .. || exit 2
git clone -q all.bundle cloned -b main
git clone -q --no-hardlinks work second
git -C cloned rev-list --all --objects | sort | sha256sum
git -C second log --format=%T -1
git -C work cat-file --batch-check='%(objectname) %(objecttype) %(objectsize)' --batch-all-objects | sha256sum
git -C work format-patch --stdout -2 HEAD | sha256sum
git -C work show no-such-thing
git -C work bisect start HEAD HEAD~4
git -C work bisect run sh -c '! grep -q seven numbers' > bisected 2>&1
grep -c 'first bad commit' bisected
git -C work rev-parse HEAD
exit 5
