.class public LCopies;
.super Ljava/lang/Object;

.field public static n:I

.method public static cat(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/String;
  .registers 4
  new-instance v0, Ljava/lang/StringBuilder;
  invoke-direct {v0}, Ljava/lang/StringBuilder;-><init>()V
  invoke-virtual {v0, p0}, Ljava/lang/StringBuilder;->append(Ljava/lang/Object;)Ljava/lang/StringBuilder;
  const-string v1, "|"
  invoke-virtual {v0, v1}, Ljava/lang/StringBuilder;->append(Ljava/lang/String;)Ljava/lang/StringBuilder;
  invoke-virtual {v0, p1}, Ljava/lang/StringBuilder;->append(Ljava/lang/Object;)Ljava/lang/StringBuilder;
  invoke-virtual {v0}, Ljava/lang/StringBuilder;->toString()Ljava/lang/String;
  move-result-object v0
  return-object v0
.end method

.method public static noop(Ljava/lang/Object;)V
  .registers 1
  return-void
.end method

.method public static tAlias255()Ljava/lang/String;
  .registers 8
  const-string v0, "old"
  invoke-static {v0, v0}, LCopies;->cat(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/String;
  move-result-object v0
  invoke-static {v0}, LCopies;->noop(Ljava/lang/Object;)V
  move-object v1, v0
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  const-string v2, "a"
  invoke-static {v2, v2}, LCopies;->cat(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/String;
  move-result-object v1
  invoke-static {v1}, LCopies;->noop(Ljava/lang/Object;)V
  const-string v0, "b"
  invoke-static {v0, v0}, LCopies;->cat(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/String;
  move-result-object v0
  invoke-static {v0}, LCopies;->noop(Ljava/lang/Object;)V
  invoke-static {v0, v1}, LCopies;->cat(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/String;
  move-result-object v0
  return-object v0
.end method

.method public static tAliasTwoKinds()F
  .registers 8
  sget v4, LCopies;->n:I
  const v0, 0x3f800000
  if-eqz v4, :j
  const v0, 0x40000000
  :j
  move v1, v0
  add-int/lit8 v2, v0, 1
  add-int/lit8 v0, v0, 7
  add-int v2, v2, v1
  const/high16 v5, 0x3f000000
  add-float v3, v1, v5
  int-to-float v2, v2
  add-float v3, v3, v2
  int-to-float v2, v0
  add-float v3, v3, v2
  return v3
.end method

.method public static tIincAlias()I
  .registers 8
  sget v0, LCopies;->n:I
  move v1, v0
  add-int/lit8 v0, v0, 5
  move v2, v0
  add-int/lit8 v0, v0, 5
  mul-int/lit8 v2, v2, 10
  add-int/2addr v2, v1
  add-int/2addr v2, v1
  mul-int/lit8 v2, v2, 10
  add-int/2addr v2, v0
  if-eqz v1, :e
  return v1
  :e
  return v2
.end method

.method public static tOrder()Ljava/lang/String;
  .registers 8
  const-string v0, "a"
  const-string v1, "b"
  invoke-static {v0, v0}, LCopies;->cat(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/String;
  move-result-object v2
  invoke-static {v1, v1}, LCopies;->cat(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/String;
  move-result-object v3
  invoke-static {v3, v2}, LCopies;->cat(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/String;
  move-result-object v2
  return-object v2
.end method

.method public static tSpillAlias()Ljava/lang/String;
  .registers 8
  const-string v0, "a"
  invoke-virtual {v0}, Ljava/lang/String;->trim()Ljava/lang/String;
  move-result-object v0
  move-object v1, v0
  const-string v2, "b"
  invoke-virtual {v2, v1}, Ljava/lang/String;->concat(Ljava/lang/String;)Ljava/lang/String;
  move-result-object v0
  invoke-virtual {v0, v1}, Ljava/lang/String;->concat(Ljava/lang/String;)Ljava/lang/String;
  move-result-object v3
  move-object v4, v3
  invoke-virtual {v4, v3}, Ljava/lang/String;->concat(Ljava/lang/String;)Ljava/lang/String;
  move-result-object v3
  invoke-virtual {v3, v4}, Ljava/lang/String;->concat(Ljava/lang/String;)Ljava/lang/String;
  move-result-object v3
  invoke-virtual {v3, v0}, Ljava/lang/String;->concat(Ljava/lang/String;)Ljava/lang/String;
  move-result-object v3
  invoke-virtual {v3, v1}, Ljava/lang/String;->concat(Ljava/lang/String;)Ljava/lang/String;
  move-result-object v3
  return-object v3
.end method

.method public static tSwap()Ljava/lang/String;
  .registers 8
  const-string v0, "a"
  const-string v1, "b"
  invoke-static {v0, v1}, LCopies;->cat(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/String;
  move-result-object v0
  invoke-static {v1, v1}, LCopies;->cat(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/String;
  move-result-object v1
  invoke-static {v0, v1}, LCopies;->cat(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/String;
  move-object v2, v1
  move-object v1, v0
  move-object v0, v2
  invoke-static {v0, v1}, LCopies;->cat(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/String;
  move-result-object v3
  move-object v0, v1
  move-object v1, v2
  move-object v2, v3
  const-string v3, "n"
  invoke-static {v2, v3}, LCopies;->cat(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/String;
  move-result-object v3
  invoke-static {v3, v0}, LCopies;->cat(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/String;
  move-result-object v3
  invoke-static {v3, v1}, LCopies;->cat(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/String;
  move-result-object v3
  return-object v3
.end method
